import { type Chains, startChains } from '@latchkey/dev'
import { accountValueRoute } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heldActivity } from '../../test/heldActivity.ts'
import { makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import type { Activity } from '../activity/activity.ts'
import type { ChainConfig } from '../config/chainsFile.ts'
import { nativeAddress } from '../evm/address.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { priceScale } from '../prices/price.ts'
import { openBalanceSources } from './openBalanceSources.ts'
import { valueRoutes } from './valueRoutes.ts'

const chainId = 'eip155:31337'
const owner = `0x${'7a'.repeat(20)}`
const minuteMs = 60_000

let chains: Chains
let database: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  ;[chains, database] = await Promise.all([startChains({ ports: 'free' }), openTestDatabase()])
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance' },
    params: [owner, `0x${(2n * 10n ** 18n).toString(16)}`],
  })
  const headers = { 'content-type': 'application/json' }
  await fetch(chains.urls[chainId], { method: 'POST', headers, body })
})
afterAll(async () => {
  await database?.close()
  await chains?.stop()
})

test('default: what the account was worth, from its amounts and the prices that were kept', async () => {
  const { ask, keep, nowMs } = start()
  await keep(nowMs - 120 * minuteMs, 1_000n)
  await keep(nowMs - 60 * minuteMs, 2_000n)
  const { points, since } = await ask('day')
  expect(since).toBeNull()
  // Half of the two ether arrived 45 minutes ago.
  expect(points?.map(({ atMs, price }) => [(nowMs - atMs) / minuteMs, price])).toEqual([
    [120, 1_000],
    [90, 1_000],
    [60, 2_000],
    [30, 4_000],
    // The present value, at the price of the pool.
    [0, 6_000],
  ])
})

test('behavior: a day begins with the price of a day ago', async () => {
  const { ask, keep, nowMs } = start()
  const dayMinutes = 24 * 60
  await keep(nowMs - (dayMinutes + 10) * minuteMs, 1_000n)
  await keep(nowMs - (dayMinutes - 10) * minuteMs, 1_500n)
  const { points } = await ask('day')
  expect(points?.slice(0, 2).map(({ atMs, price }) => [(nowMs - atMs) / minuteMs, price])).toEqual([
    [dayMinutes, 1_000],
    [dayMinutes - 30, 1_500],
  ])
})

test('behavior: while the search runs, returns nothing before the oldest activity found', async () => {
  const { ask, nowMs } = start({
    sync: async () => ({
      complete: false,
      progress: 0.5,
      since: new Date(Date.now() - 45 * minuteMs).toISOString(),
    }),
  })
  const { points, since } = await ask('day')
  expect(since).not.toBeNull()
  expect(points?.map(({ atMs }) => (nowMs - atMs) / minuteMs)).toEqual([30, 0])
})

test('behavior: waits for new activity of an account; a response without it is not cached', async () => {
  const followed: unknown[] = []
  let asked = 0
  const done = { complete: true, progress: 1, since: null }
  const { ask, keep, nowMs } = start({
    follow: async (account) => void followed.push(account),
    // The third time, the chain has been read again.
    sync: async () => (++asked < 3 ? { ...done, complete: false } : done),
  })
  await keep(nowMs - 120 * minuteMs, 1_000n)
  expect((await ask('day')).points).toHaveLength(1)
  expect(followed).toContainEqual({ chainId, address: owner })
  expect((await ask('day')).points?.length).toBeGreaterThan(1)
})

test('behavior: a network whose activity is not followed has no value over time', async () => {
  const { ask } = start(undefined, { activity: { source: 'off' } })
  expect(await ask('day')).toEqual({ points: null, since: null })
})

test('behavior: requests at the same time read the account once', async () => {
  let reads = 0
  const { ask } = start({
    readChanges: async () => {
      reads++
      return []
    },
  })
  const [one, other] = await Promise.all([ask('day'), ask('day')])
  expect(one).toEqual(other)
  await ask('day')
  expect(reads).toBe(1)
  await ask('week')
  expect(reads).toBe(2)
})

test('error: another network, no address, and an invalid period', async () => {
  const { request } = start()
  const status = async (address: string, search: string) => (await request(address, search)).status
  expect(await status(owner, 'chainId=eip155:5&period=day')).toBe(400)
  expect(await status('nobody', `chainId=${chainId}&period=day`)).toBe(400)
  expect(await status(owner, `chainId=${chainId}&period=hour`)).toBe(400)
})

function start(changed: Partial<Activity> = {}, chain: Partial<ChainConfig> = {}) {
  const nowMs = Date.now()
  const { multicall3, uniswapV2Factory, wrappedEther, usd } = chains.addresses[chainId]
  const services = makeServices(
    {
      [chainId]: {
        name: 'One',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        upstreams: [chains.urls[chainId]],
        multicall3,
        ...chain,
        uniswapV2: { factory: uniswapV2Factory, wrappedNative: wrappedEther, usd },
      },
    },
    () => nowMs,
  )
  const activity: Activity = {
    ...heldActivity([]).activity,
    readChanges: async (_, { sinceMs, stepMs }) => [
      {
        contract: undefined,
        step: Math.floor((nowMs - 45 * minuteMs - sinceMs) / stepMs),
        change: 10n ** 18n,
      },
    ],
    ...changed,
  }
  const ways = {
    upstreams: createUpstreams(services),
    outbound: createOutbound(services),
    activity,
  }
  const sources = openBalanceSources(services, ways)
  const deps = { ...services, ...sources, activity, db: database.db, patienceMs: 50 }
  const app = valueRoutes(deps)
  const request = (address: string, search: string) =>
    app.request(`/v1/account/${address}/value?projectId=local&${search}`)
  return {
    nowMs,
    request,
    ask: async (period: string) => {
      const response = await request(owner, `chainId=${chainId}&period=${period}`)
      expect(response.status).toBe(200)
      return accountValueRoute.result.parse(await response.json())
    },
    keep: (atMs: number, dollars: bigint) =>
      database.db
        .insertInto('price_points')
        .values({
          chain_id: chainId,
          token: nativeAddress,
          at: new Date(atMs),
          price: String(dollars * priceScale),
        })
        .execute(),
  }
}
