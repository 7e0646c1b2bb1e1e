import { afterEach, expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { getOldAllowances } from '../allowances/getOldAllowances.ts'
import type { App } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { getLatestActivity, listFollowedAccounts } from './getLatestActivity.ts'

const [one, two] = ['eip155:31337', 'eip155:31338'] as const
const on = { on: true, source: 'rpc' }
const dayMs = 24 * 3_600_000
const nowMs = Date.parse('2026-11-28T12:00:00Z')

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const row = (id: string, chain: string) => ({
  id,
  metadata: {
    ...{ operationType: 'send', hash: id, minedAt: '2026-03-05T10:00:00Z', sentFrom: alice },
    ...{ sentTo: alice, status: 'confirmed', nonce: 1, chain },
  },
  transfers: [],
})
const allowance = (spender: string, ageDays: number, more: object = {}) => ({
  kind: 'erc20',
  token: { address: `${one}:0xaa`, name: 'Dollar', symbol: 'USD', iconUrl: null },
  ...{ tokenId: null, spender, spenderName: null, amount: '9', balance: '5', isUnlimited: true },
  changedAt: new Date(nowMs - ageDays * dayMs).toISOString(),
  ...{ expiresAt: null, isSpam: false },
  ...more,
})

/** A connected app, and the requests for data of its account. */
async function start(
  features: Record<string, object>,
  { broken = [], isEndless = false }: { broken?: readonly string[]; isEndless?: boolean } = {},
) {
  server = await startServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://server')
    if (pathname.endsWith('/history'))
      return json(response, {
        data: [row('a', one), row('b', two), row('c', 'eip155:5')],
        next: 'c',
      })
    if (!pathname.endsWith('/allowances'))
      return json(response, { http: [one, two], ws: [], features })
    if (broken.includes(searchParams.get('chainId') ?? ''))
      return json(response, {}, { status: 500 })
    const isFirst = searchParams.get('cursor') === null
    json(response, {
      data: isFirst
        ? [allowance('0x01', 1), allowance('0x02', 91, { isSpam: true })]
        : [allowance('0x03', 91), allowance('0x04', 91, { isUnlimited: false })],
      next: isFirst || isEndless ? 'more' : null,
    })
  })
  let [parallel, most] = [0, 0]
  const second = createFakeWallet()
  second.accounts = [bob]
  const app = openApp(
    {
      ...createBrowser().openTab(),
      connectors: [
        fakeConnector({ id: 'a.one', wallet: createFakeWallet() }),
        fakeConnector({ id: 'a.two', wallet: second }),
        fakeConnector({ id: 'a.same', wallet: createFakeWallet() }),
      ],
      fetch: async (...request) => {
        parallel += 1
        most = Math.max(most, parallel)
        return fetch(...request).finally(() => {
          parallel -= 1
        })
      },
      now: () => nowMs,
    },
    { apiUrl: server.url },
  )
  await connect(app, { connectorId: 'a.one' })
  const asked = () =>
    server?.calls.flatMap(({ url }) => (url.includes('/v1/account/') ? [url] : [])) ?? []
  return { app, asked, getMost: () => most }
}

test('default: one request for all networks of an account, without the networks that the app lacks', async () => {
  const { app, asked } = await start({ [one]: { activity: on }, [two]: { activity: on } })
  const [account, ...others] = await listFollowedAccounts(app)
  expect(others).toEqual([])
  expect(account).toMatchObject({ namespace: 'eip155', chainIds: [one, two] })
  if (!account) throw new Error('No account')
  const latest = await getLatestActivity(app, account)
  expect(latest.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(asked()).toHaveLength(1)
  expect(asked()[0]).not.toContain('chainId')
})

test('behavior: the accounts of all connected wallets are followed, each once', async () => {
  const { app } = await start({ [one]: { activity: on } })
  await connect(app, { connectorId: 'a.two' })
  await connect(app, { connectorId: 'a.same' })
  const accounts = await listFollowedAccounts(app)
  expect(accounts.map(({ key }) => key).sort()).toEqual([`eip155:${bob}`, `eip155:${alice}`].sort())
})

test('behavior: a network without activity is left out, and a single network is named', async () => {
  const { app, asked } = await start({ [one]: { activity: on }, [two]: {} })
  const [account] = await listFollowedAccounts(app)
  expect(account?.chainIds).toEqual([one])
  if (!account) throw new Error('No account')
  expect((await getLatestActivity(app, account)).map(({ id }) => id)).toEqual(['a'])
  expect(asked()[0]).toContain(`chainId=${encodeURIComponent(one)}`)
})

const findOld = async (app: App) =>
  (await getOldAllowances(app)).map(({ allowance: { spender }, owner }) => [spender, owner])

test('behavior: old allowances are found on every page; spam, new and limited allowances are not', async () => {
  const { app } = await start({ [one]: { allowances: on } })
  expect(await findOld(app)).toEqual([['0x03', alice]])
})

test('behavior: old allowances of all accounts are found on all networks, without those that fail', async () => {
  const features = { [one]: { allowances: on }, [two]: { allowances: on } }
  const { app, asked } = await start(features)
  await connect(app, { connectorId: 'a.two' })
  await connect(app, { connectorId: 'a.same' })
  const both = [
    ['0x03', alice],
    ['0x03', bob],
  ]
  expect((await findOld(app)).sort()).toEqual([...both, ...both].sort())
  expect(asked()).toHaveLength(8)
  await server?.stop()
  const partly = await start(features, { broken: [two] })
  expect(await findOld(partly.app)).toEqual([['0x03', alice]])
  await server?.stop()
  const failing = await start(features, { broken: [one, two] })
  await expect(findOld(failing.app)).rejects.toThrow()
})

test('behavior: at most five pages of a list are read, and at most three lists at a time', async () => {
  const features = { [one]: { allowances: on }, [two]: { allowances: on } }
  const { app, asked, getMost } = await start(features, { isEndless: true })
  await connect(app, { connectorId: 'a.two' })
  await findOld(app)
  expect(asked()).toHaveLength(4 * 5)
  expect(getMost()).toBe(3)
})

test('behavior: no allowances are requested from a server that does not list them', async () => {
  const { app, asked } = await start({ [one]: { activity: on } })
  expect(await findOld(app)).toEqual([])
  expect(asked()).toEqual([])
})
