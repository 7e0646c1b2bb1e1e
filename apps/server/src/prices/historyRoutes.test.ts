import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fungibleHistoryRoute, type PricePoint } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { nativeAddress } from '../evm/address.ts'
import { priceHistoryRoutes } from './historyRoutes.ts'
import { type Price, priceScale, type Quote } from './price.ts'
import { recordPrices } from './recordPrices.ts'

const chainId = 'eip155:31337'
const gold = `0x${'ab'.repeat(20)}`
const startMs = Date.parse('2026-05-01T00:00:00Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const pool = {
  factory: `0x${'11'.repeat(20)}`,
  wrappedNative: `0x${'22'.repeat(20)}`,
  usd: `0x${'33'.repeat(20)}`,
} as const

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

test('default: what was kept, the last price of each step, and nothing of others', async () => {
  const { keep, ask } = await start()
  await keep(startMs, { [nativeAddress]: 3_000n, [gold]: 10n })
  await keep(startMs + 5 * minuteMs, { [nativeAddress]: 3_010n })
  await keep(startMs + hourMs, { [nativeAddress]: 3_020n })
  const points = [
    { atMs: startMs + 5 * minuteMs, price: 3_010 },
    { atMs: startMs + hourMs, price: 3_020 },
  ]
  expect(await ask(nativeAddress, 'day')).toEqual(points)
  expect(await ask('native', 'day')).toEqual(points)
  expect(await ask(gold.toUpperCase().replace('0X', '0x'), 'day')).toEqual([
    { atMs: startMs, price: 10 },
  ])
  expect(await ask(`0x${'99'.repeat(20)}`, 'year')).toEqual([])
})

test('behavior: five minutes have one point across all processes; later only whole hours remain, then none', async () => {
  const { keep, ask } = await start()
  const at = startMs + 400 * dayMs
  await keep(at, { [nativeAddress]: 1n })
  expect(await keep(at + minuteMs, { [nativeAddress]: 2n })).toBe(0)
  await keep(at + 15 * minuteMs, { [nativeAddress]: 3n })
  expect((await ask(nativeAddress, 'day')).map(({ price }) => price)).toEqual([1, 3])
  await keep(at + 9 * dayMs, { [nativeAddress]: 4n })
  // The point of 00:15 is gone, the point of the whole hour is not.
  expect((await ask(nativeAddress, 'month')).map(({ price }) => price)).toEqual([1, 4])
  await keep(at + 376 * dayMs, { [nativeAddress]: 5n })
  const oldest = database.db.selectFrom('price_points').select('at').orderBy('at')
  expect((await oldest.executeTakeFirst())?.at).toEqual(new Date(at + 9 * dayMs))
  expect((await ask(nativeAddress, 'year')).map(({ price }) => price)).toEqual([4, 5])
})

test('default: the prices of a year, one for each day, from what was kept', async () => {
  const { keep, ask } = await start()
  const gem = `0x${'ef'.repeat(20)}`
  await keep(startMs + 2 * dayMs, { [gem]: 10n })
  await keep(startMs + 2 * dayMs + hourMs, { [gem]: 11n })
  await keep(startMs + 3 * dayMs, { [gem]: 12n })
  expect(await ask(gem, '2026')).toEqual([
    { atMs: startMs + 2 * dayMs + hourMs, price: 11 },
    { atMs: startMs + 3 * dayMs, price: 12 },
  ])
  expect(await ask(gem, '2025')).toEqual([])
  expect(await ask(gem, '2027')).toEqual([])
})

test('behavior: an outside source gets a request for the days of a year, for an earlier year once a day', async () => {
  const { ask, paths, pass } = await start((id) => ({
    coins: { [id]: { prices: [], confidence: 1 } },
  }))
  await ask(gold, '2026')
  await ask(gold, '2025')
  const year = (start: string) => Date.parse(start) / 1000
  const days = (startMs - Date.parse('2026-01-01')) / dayMs
  expect(paths).toEqual([
    `/chart/somewhere:${gold}?start=${year('2026-01-01')}&span=${days}&period=1d`,
    `/chart/somewhere:${gold}?start=${year('2025-01-01')}&span=365&period=1d`,
  ])
  pass(23 * hourMs)
  await ask(gold, '2025')
  expect(await ask(gold, '2027')).toEqual([])
  expect(paths).toHaveLength(2)
})

test('behavior: an outside source gets one request; points outside the period do not count', async () => {
  const seconds = startMs / 1000
  const prices = [
    { timestamp: seconds - 3_600, price: 2 },
    { timestamp: seconds - 7_200, price: 1 },
    { timestamp: seconds - 400 * 86_400, price: 9 },
    { timestamp: seconds + 600, price: 9 },
  ]
  const { ask, keep, paths } = await start((id) => ({
    coins: { [id]: { prices, confidence: 0.99 } },
  }))
  const expected = [
    { atMs: startMs - 2 * hourMs, price: 1 },
    { atMs: startMs - hourMs, price: 2 },
  ]
  // Also if both requests arrive before it has answered.
  const both = [ask(gold, 'week'), ask(gold, 'week')]
  expect(await Promise.all(both)).toEqual([expected, expected])
  expect(await ask(gold, 'week')).toEqual(expected)
  expect(paths).toEqual([
    `/chart/somewhere:${gold}?start=${seconds - 7 * 86_400}&span=84&period=2h`,
  ])
  expect(await keep(startMs, { [nativeAddress]: 1n })).toBe(0)
})

test.each<[string, (id: string) => unknown]>([
  [
    'is unsure',
    (id) => ({ coins: { [id]: { prices: [{ timestamp: 1, price: 1 }], confidence: 0.1 } } }),
  ],
  ['knows another token', () => ({ coins: { other: { prices: [] } } })],
  [
    'has prices below nothing',
    (id) => ({ coins: { [id]: { prices: [{ timestamp: 1, price: -1 }] } } }),
  ],
  [
    'has no end of them',
    (id) => ({ coins: { [id]: { prices: Array(501).fill({ timestamp: 1, price: 1 }) } } }),
  ],
])('behavior: a source that %s has no history', async (_, answer) => {
  const { ask } = await start(answer)
  expect(await ask(gold, 'day')).toEqual([])
})

test('error: an unavailable source is 503, an invalid token 400', async () => {
  const { request } = await start(() => 'nonsense')
  expect((await request(`address=${chainId}:${gold}&period=day`)).status).toBe(503)
  expect((await request(`address=${gold}&period=day`)).status).toBe(400)
  expect((await request(`address=eip155:5:${gold}&period=day`)).status).toBe(400)
  for (const period of ['hour', '1999', '20260'])
    expect((await request(`address=${chainId}:${gold}&period=${period}`)).status).toBe(400)
})

test('behavior: a source that cannot be reached gets no request for ten seconds, for any token', async () => {
  const { request, ask, paths, pass, close, open } = await start(() => ({ coins: {} }))
  const status = async (token: string) =>
    (await request(`address=${chainId}:${token}&period=day`)).status
  await close()
  expect(await Promise.all([status(gold), status(gold)])).toEqual([503, 503])
  await open()
  expect(await status(nativeAddress)).toBe(503)
  expect(paths).toEqual([])
  pass(10_000)
  expect(await ask(nativeAddress, 'day')).toEqual([])
  expect(await ask(gold, 'day')).toEqual([])
  expect(paths).toHaveLength(2)
})

test('behavior: one token that leads elsewhere says nothing about others, two within a few seconds do', async () => {
  const silver = `0x${'cd'.repeat(20)}`
  const { request, ask, paths, pass } = await start((id) =>
    id.endsWith(gold) || id.endsWith(silver) ? undefined : { coins: {} },
  )
  const status = async (token: string, period = 'day') =>
    (await request(`address=${chainId}:${token}&period=${period}`)).status
  expect([await status(gold), await status(gold)]).toEqual([503, 503])
  expect(await status(gold, 'week')).toBe(503)
  expect(await ask(nativeAddress, 'day')).toEqual([])
  expect(paths).toHaveLength(3)
  pass(5_000)
  expect(await status(silver)).toBe(503)
  expect(await ask(nativeAddress, 'week')).toEqual([])
  expect(paths).toHaveLength(5)
  pass(4_000)
  expect(await status(gold, 'month')).toBe(503)
  expect(await status(nativeAddress, 'month')).toBe(503)
  expect(paths).toHaveLength(6)
})

test('behavior: a token with an invalid response is requested again after ten seconds, others at once', async () => {
  const { request, ask, paths, pass } = await start((id) =>
    id.endsWith(gold) ? 'nonsense' : { coins: {} },
  )
  const askGold = () => request(`address=${chainId}:${gold}&period=day`)
  expect((await askGold()).status).toBe(503)
  expect((await askGold()).status).toBe(503)
  expect(await ask(nativeAddress, 'day')).toEqual([])
  expect(paths).toHaveLength(2)
  pass(10_000)
  await askGold()
  expect(paths).toHaveLength(3)
})

/**
 * Starts the routes over the database. With `answer`, the network has an outside source that
 * returns it, or redirects if it returns nothing.
 */
async function start(answer?: (id: string) => unknown) {
  const paths: string[] = []
  const outside = createServer((request, response) => {
    paths.push(request.url ?? '')
    const id = /\/chart\/([^?]*)/.exec(request.url ?? '')?.[1] ?? ''
    const body = answer?.(id)
    if (body === undefined) response.writeHead(302, { location: '/' }).end()
    else response.end(JSON.stringify(body))
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => outside.listen(port, '127.0.0.1', resolve))
  await listen(0)
  outside.unref()
  const { port } = outside.address() as AddressInfo
  let nowMs = startMs
  const services = makeServices(
    {
      [chainId]: {
        ...chainWith(['http://x.test']),
        uniswapV2: pool,
        ...(answer && { priceSourceChain: 'somewhere' }),
      },
    },
    () => nowMs,
  )
  const priceSourceUrl = `http://127.0.0.1:${port}`
  const config = { ...services.config, ...(answer && { priceSourceUrl }) }
  const { db } = database
  const deps = { ...services, config, db }
  const app = priceHistoryRoutes(deps)
  const request = (search: string) => app.request(`/v1/fungible/history?projectId=local&${search}`)
  return {
    paths,
    request,
    /** Stops the outside source, and starts it again at the same URL. */
    close: () => new Promise((resolve) => outside.close(resolve)),
    open: () => listen(port),
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Records these prices, in whole dollars; returns how many prices were read. */
    async keep(atMs: number, prices: Record<string, bigint>) {
      nowMs = atMs
      let asked = 0
      const listed = Object.keys(prices).filter((token) => token !== nativeAddress)
      const token = (address: string) => ({ address, name: 'T', symbol: 'T', decimals: 18 })
      await recordPrices({
        ...deps,
        getListed: async () => ({
          tokens: new Map(listed.map((address) => [address, token(address)])),
          knownNames: new Set(),
        }),
        readPrices: async ({ tokens }) => {
          asked += tokens.length
          return tokens.map((one) => quote((prices[one] ?? 0n) * priceScale, atMs))
        },
      })
      return asked
    },
    async ask(token: string, period: string): Promise<PricePoint[]> {
      const answer = await request(`address=${chainId}:${token}&period=${period}`)
      expect(answer.status).toBe(200)
      return fungibleHistoryRoute.result.parse(await answer.json()).points
    },
  }
}

const quote = (price: Price, seenAtMs: number): Quote => ({
  price,
  seenAtMs,
  source: 'uniswap-v2',
})
