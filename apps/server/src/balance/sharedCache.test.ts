import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountBalanceRoute } from '@latchkey/wire'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { heldActivity } from '../../test/heldActivity.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { startRedis } from '../../test/startRedis.ts'
import { createRedisKv } from '../kv/redisKv.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { openBalanceSources } from './openBalanceSources.ts'
import { balanceRoutes } from './routes.ts'

const chainId = 'eip155:1'
const owner = '0x00000000000000000000000000000000000000a1'
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

test('behavior: two servers with one Redis share answers and prices, and what changes drops them for both', async () => {
  const { redis, node, outside, start } = await startWorld()
  const [one, two] = [await start(), await start()]
  expect(await one.get()).toEqual(['1', 3000])
  const calls = node.bodies.length
  expect(await two.get()).toEqual(['1', 3000])
  // Another response, for the same price.
  expect(await two.get('&currency=USD&chainId=1')).toEqual(['1', 3000])
  expect(outside.asked()).toBe(1)
  expect(node.bodies.slice(calls).filter((method) => method === 'eth_getBalance').length).toBe(1)
  node.results.eth_getBalance = '0x1bc16d674ec80000'
  expect(await two.get()).toEqual(['1', 3000])
  // Only the first process is notified, because it cached the answer.
  one.tell(chainId, 'changed')
  await expect.poll(() => two.get()).toEqual(['2', 3000])
  await redis.stop()
})

test('error: with Redis away everything is read, prices too', async () => {
  const { redis, outside, start } = await startWorld()
  const { get } = await start()
  await redis.stop()
  expect(await get()).toEqual(['1', 3000])
  expect(await get()).toEqual(['1', 3000])
  expect(outside.asked()).toBe(2)
})

async function startWorld() {
  const redis = await startRedis()
  const results: Record<string, unknown> = { eth_getBalance: '0xde0b6b3a7640000', eth_call: '0x' }
  const node = await startUpstream((...parts) => honest(1, results)(...parts))
  const outside = await startOutside()
  stops.push(node.stop, outside.stop)
  const start = async () => {
    const services = makeServices({ [chainId]: chainWith([node.url]) })
    const kv = await createRedisKv(redis.url, pino({ level: 'silent' }), 60_000)
    stops.push(() => kv.close())
    const config = { ...services.config, priceSourceUrl: outside.url }
    const own = { ...services, kv, config }
    const { activity, tell } = heldActivity([])
    const ways = { upstreams: createUpstreams(own), outbound: createOutbound(own), activity }
    const app = balanceRoutes(openBalanceSources(own, ways))
    const get = async (query = '') => {
      const response = await app.request(`/v1/account/${owner}/balance?projectId=local${query}`)
      const [native] = accountBalanceRoute.result.parse(await response.json()).balances
      return [native?.quantity.numeric, native?.price]
    }
    return { get, tell }
  }
  return { redis, node: { ...node, results }, outside, start }
}

/** An outside source that has one price for everything. Counts the requests for present prices. */
async function startOutside() {
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/prices/current/')) asked++
    const ids = request.url?.split('/').at(-1)?.split(',') ?? []
    const coin = { price: 3000, timestamp: Math.floor(Date.now() / 1000), confidence: 0.99 }
    response.end(JSON.stringify({ coins: Object.fromEntries(ids.map((id) => [id, coin])) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url, asked: () => asked, stop }
}
