import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { readConfig } from '../config.ts'
import { nativeAddress } from '../evm/address.ts'
import { fetchExternalPrices } from './fetchExternalPrices.ts'
import { priceScale } from './price.ts'

const nowMs = 1_800_000_000_000
const token = `0x${'Ab'.repeat(20)}`.toLowerCase() as `0x${string}`
const zero = `0x${'0'.repeat(40)}`
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

test('default: prices with their age, the native currency as the zero address', async () => {
  const { read, paths } = await start((ids) =>
    answer(Object.fromEntries(ids.map((id) => [id, good]))),
  )
  const seen = { price: (5n * priceScale) / 2n, seenAtMs: nowMs - 30_000, source: 'outside' }
  expect([...(await read([nativeAddress, token]))]).toEqual([
    [nativeAddress, seen],
    [token, seen],
  ])
  expect(paths).toEqual([`/key/prices/current/ethereum:${zero},ethereum:${token}`])
})

test.each([
  ['older than ten minutes', { ...good(), timestamp: nowMs / 1000 - 601 }],
  ['of a time to come', { ...good(), timestamp: nowMs / 1000 + 61 }],
  ['in milliseconds', { ...good(), timestamp: nowMs }],
  ['of no confidence', { ...good(), confidence: 0.5 }],
  ['of nothing', { ...good(), price: 0 }],
  ['below nothing', { ...good(), price: -1 }],
  ['in words', { ...good(), price: '1' }],
  ['without its time', { price: 1 }],
  ['null', null],
])('behavior: a price %s does not count', async (_, entry) => {
  const { read } = await start((ids) =>
    answer(Object.fromEntries(ids.map((id) => [id, () => entry]))),
  )
  expect(await read([token])).toEqual(new Map())
})

test.each([
  ['1', 10n ** 18n],
  ['0.999', 999_000_000_000_000_000n],
  ['2e-7', 200_000_000_000n],
  ['1.5e+3', 1_500n * 10n ** 18n],
  ['1e-18', 1n],
  ['1e-19', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['', undefined],
  ['1e9999', undefined],
])('default: the price %s', async (text, expected) => {
  const { read } = await start(() => answerPrices([[token, text]]))
  expect((await read([token])).get(token)?.price).toBe(expected)
})

test('behavior: no digit of a price is lost', async () => {
  const exponents = fc.integer({ min: -18, max: 20 })
  const price = fc.record({ digits: fc.bigInt({ min: 1n, max: 10n ** 15n }), exponent: exponents })
  let texts: string[] = []
  const { read } = await start((ids) =>
    answerPrices(ids.map((id, index) => [id.split(':')[1] ?? '', texts[index] ?? ''])),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(price, { minLength: 1, maxLength: 50 }), async (prices) => {
      const tokens = prices.map((_, index) => `0x${String(index).padStart(40, '0')}` as const)
      texts = prices.map(({ digits, exponent }) => `${digits}e${exponent}`)
      const found = await read(tokens)
      expect(tokens.map((one) => found.get(one)?.price)).toEqual(
        prices.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent + 18)),
      )
    }),
    { numRuns: 20 },
  )
})

test('behavior: hundreds of tokens are requested in parts; for a chain without a name, none', async () => {
  const { read, paths } = await start((ids) =>
    answer(Object.fromEntries(ids.map((id) => [id, good]))),
  )
  const many = Array.from({ length: 250 }, (_, i) => `0x${String(i).padStart(40, '0')}` as const)
  expect((await read(many)).size).toBe(250)
  expect(paths.length).toBe(3)
  expect(await read([token], 'eip155:31337')).toEqual(new Map())
  expect(paths.length).toBe(3)
})

test.each<[string, (response: ServerResponse) => void]>([
  ['says 500', (response) => response.writeHead(500).end('{}')],
  ['leads elsewhere', (response) => response.writeHead(302, { location: '/other' }).end()],
  ['speaks no JSON', (response) => response.end('<html>')],
  ['says something else', (response) => response.end('[]')],
  ['never ends', (response) => void pour(response)],
])('error: a source that %s has no prices', async (_, behave) => {
  const { read } = await start(() => behave)
  expect(await read([token])).toEqual(new Map())
})

test('error: a source that is away has no prices', async () => {
  const { read, stop } = await start(() => answer({}))
  stop()
  expect(await read([token])).toEqual(new Map())
})

test.each<[string, Behave]>([
  ['refuses', (response) => response.writeHead(401).end('{"error":"the key is wrong"}')],
  ['leads elsewhere', (response) => response.writeHead(302, { location: '/other' }).end()],
  ['hangs up', (response) => void response.destroy()],
  ['speaks no JSON', (response) => response.end('<html>')],
])(
  'behavior: PRICE_SOURCE_KEY goes where {key} stands, and into no log when the source %s',
  async (_, behave) => {
    const key = 'se/cret$&key'
    const { read, paths, logged } = await start(() => behave, key)
    expect(await read([token])).toEqual(new Map())
    expect(paths[0]).toBe(`/${encodeURIComponent(key)}/prices/current/ethereum:${token}`)
    expect(logged()).toContain('outside prices not read')
    for (const secret of [key, encodeURIComponent(key), 'cret'])
      expect(logged()).not.toContain(secret)
  },
)

type Entries = Record<string, () => unknown>
type Behave = (response: ServerResponse) => void

function good() {
  return { price: 2.5, timestamp: nowMs / 1000 - 30, confidence: 0.99 }
}

const answer =
  (entries: Entries): Behave =>
  (response) => {
    const coins = Object.fromEntries(Object.entries(entries).map(([id, entry]) => [id, entry()]))
    response.end(JSON.stringify({ coins }))
  }

/** Responds with prices as they are written in the JSON. */
const answerPrices =
  (prices: readonly (readonly [address: string, price: string])[]): Behave =>
  (response) => {
    const coins = prices.map(
      ([address, price]) => `"ethereum:${address}":{"price":${price},"timestamp":${nowMs / 1000}}`,
    )
    response.end(`{"coins":{${coins.join(',')}}}`)
  }

function pour(response: ServerResponse) {
  const chunk = 'x'.repeat(65_536)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  response.on('error', () => {})
  more()
}

async function start(behave: (ids: string[]) => Behave, PRICE_SOURCE_KEY = 'key') {
  const paths: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    paths.push(path)
    behave(path.split('/').at(-1)?.split(',') ?? [])(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  stops.push(stop)
  const chains = {
    'eip155:1': chainWith(['http://x.test']),
    'eip155:31337': chainWith(['http://x.test']),
  }
  const services = makeServices(chains, () => nowMs)
  const PRICE_SOURCE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{key}/`
  const { priceSourceUrl } = readConfig({ PRICE_SOURCE_URL, PRICE_SOURCE_KEY })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const deps = { ...services, log, config: { ...services.config, priceSourceUrl } }
  const read = (
    tokens: readonly `0x${string}`[],
    chainId: 'eip155:1' | 'eip155:31337' = 'eip155:1',
  ) => fetchExternalPrices(deps, { chainId, tokens }).then(({ prices }) => prices)
  return { read, paths, stop, logged: () => lines.join('') }
}
