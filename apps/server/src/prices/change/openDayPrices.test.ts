import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { nativeAddress } from '../../evm/address.ts'
import { priceNumber, priceScale } from '../price.ts'
import { openDayPrices } from './openDayPrices.ts'

const chainId = 'eip155:31337'
const gold = `0x${'ab'.repeat(20)}`
const silver = `0x${'cd'.repeat(20)}`
const zero = `0x${'0'.repeat(40)}`
const minuteMs = 60_000
const nowMs = Date.parse('2026-05-02T00:00:00Z')
const dayAgoMs = nowMs - 24 * 60 * minuteMs
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

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

test('default: the last recorded price until then, not older than an hour, of all tokens at once', async () => {
  const { read } = start()
  await keep(nativeAddress, [
    [-10, 2_900],
    [-5, 3_000],
    [5, 9_000],
  ])
  await keep(gold, [[-60, 10]])
  await keep(silver, [
    [-61, 1],
    [5, 1],
  ])
  expect(await read([nativeAddress, silver, gold.toUpperCase().replace('0X', '0x')])).toEqual([
    3_000,
    undefined,
    10,
  ])
  // From the cache.
  await database.db.deleteFrom('price_points').execute()
  expect(await read([gold])).toEqual([10])
})

test('behavior: without a database, or a source of prices, there is nothing', async () => {
  await keep(gold, [[-5, 10]])
  expect(await start({ hasDatabase: false }).read([gold])).toEqual([undefined])
  expect(await start({ hasPools: false }).read([gold])).toEqual([undefined])
})

test('default: from the outside source in one request, of that time', async () => {
  const { url, paths } = await startOutside({
    [`dev:${zero}`]: { price: 3_000, timestamp: dayAgoMs / 1000 - 1_200, confidence: 0.99 },
    [`dev:${gold}`]: { price: 10, timestamp: dayAgoMs / 1000 - 3_601, confidence: 0.99 },
    [`dev:${silver}`]: { price: 1, timestamp: dayAgoMs / 1000, confidence: 0.5 },
  })
  const { read } = start({ url })
  const expected = [3_000, undefined, undefined]
  expect(await read([nativeAddress, gold, silver])).toEqual(expected)
  expect(await read([nativeAddress, gold, silver])).toEqual(expected)
  expect(paths).toEqual([
    `/prices/historical/${dayAgoMs / 1000}/dev:${zero},dev:${gold},dev:${silver}`,
  ])
})

type Options = { url?: string; hasDatabase?: boolean; hasPools?: boolean }

function start({ url, hasDatabase = true, hasPools = true }: Options = {}) {
  const chain = {
    ...chainWith(['http://x.test']),
    priceSourceChain: 'dev',
    ...(hasPools && { uniswapV2: pool }),
  }
  const services = makeServices({ [chainId]: chain }, () => nowMs)
  const config = { ...services.config, priceSourceUrl: url }
  const db = hasDatabase ? database.db : undefined
  const readDayPrices = openDayPrices({ ...services, config, db })
  return {
    /** In dollars. */
    async read(tokens: readonly string[]) {
      const quotes = await readDayPrices({ chainId, tokens })
      return quotes.map((quote) => quote && priceNumber(quote.price))
    },
  }
}

/** Records prices in dollars, at times in minutes from a day ago. */
const keep = (token: string, points: readonly (readonly [minutes: number, dollars: number])[]) =>
  database.db
    .insertInto('price_points')
    .values(
      points.map(([minutes, dollars]) => ({
        chain_id: chainId,
        token,
        at: new Date(dayAgoMs + minutes * minuteMs),
        price: String(BigInt(dollars) * priceScale),
      })),
    )
    .execute()

async function startOutside(coins: Record<string, unknown>) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.end(JSON.stringify({ coins }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}
