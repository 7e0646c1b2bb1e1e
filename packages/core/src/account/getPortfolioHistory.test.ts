import { afterEach, expect, test } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { type AccountOnNetworks, getPortfolioHistory } from './getPortfolioHistory.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const hour = 3_600_000
const minute = 60_000
const nowMs = Date.UTC(2026, 0, 1)
const at = (...points: (readonly [hoursAgo: number, price: number])[]) =>
  points.map(([hoursAgo, price]) => ({ atMs: nowMs - hoursAgo * hour, price }))

type PriceResponse =
  | { points: { atMs: number; price: number }[] | null; since: string | null }
  | 503

/**
 * A server with these responses per network. It reports that activity is off for networks without a
 * response.
 */
async function start(answers: Record<string, PriceResponse>) {
  const features = Object.fromEntries(
    ['eip155:1', 'eip155:10', 'eip155:8453'].map((id) => [
      id,
      { activity: { on: id in answers, source: '' } },
    ]),
  )
  server = await startServer(({ url }, response) => {
    if (url.startsWith('/v1/supported-chains'))
      return json(response, { http: Object.keys(features), ws: [], features })
    const chainId = new URL(url, 'http://x').searchParams.get('chainId') ?? ''
    const answer = answers[chainId]
    json(response, answer ?? {}, { status: answer === 503 ? 503 : 200 })
  })
  const app = openApp(
    { ...createBrowser().openTab(), fetch: globalThis.fetch, sleep: async () => {} },
    { apiUrl: server.url },
  )
  const chainIds = ['eip155:1', 'eip155:10', 'eip155:8453'] as const
  const ask = (accounts: readonly AccountOnNetworks[] = [{ address: alice, chainIds }]) =>
    getPortfolioHistory(app, { accounts, period: 'day' })
  return { ask, asked: () => server?.calls.filter(({ url }) => url.includes('/value')).length }
}

test('default: the sum of the networks at each time, by the latest start of what is known', async () => {
  const { ask } = await start({
    'eip155:1': { points: at([2, 10], [1, 20], [0, 30]), since: '2025-12-01T00:00:00.000Z' },
    'eip155:10': { points: at([2, 1], [1, 2], [0, 3]), since: '2025-12-20T00:00:00.000Z' },
    'eip155:8453': { points: at([2, 0], [1, 0], [0, 0.5]), since: null },
  })
  expect(await ask()).toEqual({
    points: at([2, 11], [1, 22], [0, 33.5]),
    since: '2025-12-20T00:00:00.000Z',
    missing: [],
  })
})

test('behavior: several accounts are added up, each on networks of its kind', async () => {
  const { ask, asked } = await start({
    'eip155:1': { points: at([1, 20], [0, 30]), since: null },
    'eip155:10': { points: at([1, 2], [0, 3]), since: null },
  })
  const history = await ask([
    { address: alice, chainIds: ['eip155:1'] },
    { address: bob, chainIds: ['eip155:10'] },
  ])
  expect(history).toEqual({ points: at([1, 22], [0, 33]), since: null, missing: [] })
  expect(asked()).toBe(2)
})

test('behavior: points that are minutes apart are combined; times that a network lacks are left out', async () => {
  const later = at([2, 1], [0, 3]).map(({ atMs, price }) => ({ atMs: atMs + 6 * minute, price }))
  const { ask } = await start({
    'eip155:1': { points: at([2, 10], [1, 20], [0, 30]), since: null },
    'eip155:10': { points: later, since: null },
    'eip155:8453': { points: at([2, 5], [1, 5], [0.5, 5], [0, 5]), since: null },
  })
  expect((await ask()).points).toEqual(at([2, 16], [0, 38]))
})

test('behavior: a network that cannot be read, or is not followed, is named and not counted', async () => {
  const { ask, asked } = await start({
    'eip155:1': { points: at([1, 20], [0, 30]), since: null },
    'eip155:8453': { points: null, since: null },
  })
  expect(await ask()).toEqual({
    points: at([1, 20], [0, 30]),
    since: null,
    missing: ['eip155:10', 'eip155:8453'],
  })
  expect(asked()).toBe(2)
})

test('behavior: a network of which only the present is known leaves the past of the others', async () => {
  const { ask } = await start({
    'eip155:1': { points: at([1, 20], [0, 30]), since: null },
    'eip155:10': { points: at([0, 7]), since: '2026-01-01T00:00:00.000Z' },
    'eip155:8453': { points: at([1, 1], [0, 2]), since: null },
  })
  expect(await ask()).toEqual({
    points: at([1, 21], [0, 32]),
    since: null,
    missing: ['eip155:10'],
  })
})

test('behavior: no network that is followed: no points at all', async () => {
  const { ask } = await start({ 'eip155:1': { points: null, since: null } })
  expect((await ask()).points).toBeNull()
})

test('error: none could be read', async () => {
  const { ask } = await start({ 'eip155:1': 503, 'eip155:10': 503 })
  await expect(ask()).rejects.toMatchObject({ code: 'HTTP_FAILED' })
})
