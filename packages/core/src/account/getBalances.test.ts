import type { ServerResponse } from 'node:http'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { type Call, json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { closeToast } from '../modal/toast.ts'
import { getBalances } from './getBalances.ts'
import { getNativeBalance } from './getNativeBalance.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const ether = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:31337',
  quantity: { decimals: '18', numeric: '2' },
  iconUrl: '',
}
const dust = { ...ether, symbol: 'NFT', quantity: { decimals: '0', numeric: '1' } }
const question = { address: alice, chainId: 'eip155:31337' } as const

async function start(answer: (call: Call, response: ServerResponse) => void) {
  const clock = { ms: 1_000_000 }
  server = await startServer((call, response) => {
    if (call.url.startsWith('/v1/?')) json(response, { id: 0, result: '0xde0b6b3a7640000' })
    else answer(call, response)
  })
  const app = openApp(
    {
      ...createBrowser().openTab(),
      fetch: globalThis.fetch,
      now: () => clock.ms,
      sleep: () => Promise.resolve(),
    },
    { apiUrl: server.url },
  )
  const asked = () =>
    server?.calls.filter(({ url }) => url.startsWith('/v1/account')).map(({ url }) => url) ?? []
  return { app, clock, asked }
}

const fine = (_: Call, response: ServerResponse) => json(response, { balances: [ether, dust] })
const broken = (_: Call, response: ServerResponse) => json(response, 'down', { status: 503 })

test('default', async () => {
  const { app, asked } = await start(fine)
  expect(await getBalances(app, question)).toEqual([ether])
  expect(asked()).toEqual([
    `/v1/account/${alice}/balance?projectId=local&st=latchkey&sv=react-0.0.0&currency=usd&chainId=eip155%3A31337`,
  ])
})

test('behavior: valid for 30 s, and simultaneous reads share one request', async () => {
  const { app, clock, asked } = await start(fine)
  await Promise.all([getBalances(app, question), getBalances(app, question)])
  clock.ms += 29_999
  await getBalances(app, question)
  expect(asked().length).toBe(1)
  clock.ms += 1
  await getBalances(app, question)
  expect(asked().length).toBe(2)
})

test('param: forceUpdate', async () => {
  const { app, asked } = await start(fine)
  await getBalances(app, question)
  await getBalances(app, { ...question, forceUpdate: true })
  expect(asked()[1]).toContain(
    `forceUpdate=${encodeURIComponent(`eip155:31337:0x${'e'.repeat(40)}`)}`,
  )
})

test('param: signal', async () => {
  const { app } = await start(() => {})
  const controller = new AbortController()
  const asked = getBalances(app, { ...question, signal: controller.signal })
  controller.abort()
  await expect(asked).rejects.toMatchObject({ code: 'ABORTED' })
  app.destroy()
})

test('behavior: a failure shows a toast, falls back to the node and blocks 30 s', async () => {
  const { app, clock, asked } = await start(broken)
  // The toast closes on its own, and loading this for the first time can take longer.
  await app.loadActions('eip155')
  expect(await getBalances(app, question)).toEqual([
    { ...ether, quantity: { decimals: '18', numeric: '1' } },
  ])
  expect(app.store.getState().toast).toMatchObject({
    message: 'Token Balance Unavailable',
    variant: 'error',
  })
  clock.ms += 29_999
  await getBalances(app, { ...question, forceUpdate: true })
  expect(asked().length).toBe(1)
  clock.ms += 1
  await getBalances(app, question)
  expect(asked().length).toBe(2)
  app.destroy()
})

test('behavior: an invalid answer counts as a failure', async () => {
  const { app } = await start((_, response) => json(response, { balances: [{ name: 1 }] }))
  expect((await getBalances(app, question)).length).toBe(1)
  app.destroy()
})

test('behavior: without a network connection, shows no toast and blocks nothing', async () => {
  const { app } = await start(broken)
  vi.stubGlobal('navigator', { onLine: false })
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(getBalances(app, question)).rejects.toThrow()
  expect(app.store.getState().toast).toBeUndefined()
  expect(app.store.getState().balancesFailedAtMs).toEqual({})
  app.destroy()
})

test('error: neither server nor node', async () => {
  const app = openApp({ sleep: () => Promise.resolve() })
  await expect(getBalances(app, question)).rejects.toMatchObject({ code: 'OFFLINE' })
  app.destroy()
})

test('behavior: a native balance is valid for 30 s', async () => {
  const { app, clock } = await start(fine)
  expect(await getNativeBalance(app, question)).toBe(10n ** 18n)
  expect(Object.values(app.store.getState().nativeBalances)).toEqual([10n ** 18n])
  await getNativeBalance(app, question)
  expect(server?.calls.length).toBe(1)
  clock.ms += 30_000
  await getNativeBalance(app, question)
  await getNativeBalance(app, { ...question, forceUpdate: true })
  expect(server?.calls.length).toBe(3)
})

test('behavior: an unknown project or origin is reported to the developer, once', async () => {
  const { app } = await start((_, response) =>
    json(response, { status: 'FAILED', reasons: [] }, { status: 401 }),
  )
  await getBalances(app, question)
  expect(app.store.getState().alert).toMatchObject({
    code: 'INVALID_PROJECT_ID',
    shortMessage: 'Invalid App Configuration',
  })
  app.destroy()
})

test('behavior: a network unknown to the server is reported once and not requested again', async () => {
  const { app, clock, asked } = await start((_, response) =>
    json(response, { status: 'FAILED', reasons: [] }, { status: 400 }),
  )
  const native = [{ ...ether, quantity: { decimals: '18', numeric: '1' } }]
  expect(await getBalances(app, question)).toEqual(native)
  expect(app.store.getState().toast?.message).toBe('Token Balance Unavailable')
  expect(app.store.getState().balancesFailedAtMs).toEqual({})
  closeToast(app)
  clock.ms += 3_600_000
  expect(await getBalances(app, { ...question, address: bob })).toEqual(native)
  expect(asked().length).toBe(1)
  expect(app.store.getState().toast).toBeUndefined()
})

test('behavior: two reads that fail at the same time are one toast', async () => {
  const { app } = await start(broken)
  const toasts = new Set<unknown>()
  app.store.subscribe(({ toast }) => toast && toasts.add(toast.id))
  await Promise.all([
    getBalances(app, question),
    getBalances(app, { ...question, forceUpdate: true }),
  ])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(toasts.size).toBe(1)
  app.destroy()
})

test('behavior: a slow read does not undo a later one', async () => {
  const slow: ServerResponse[] = []
  const { app, clock } = await start((call, response) => {
    if (call.url.includes('forceUpdate')) fine(call, response)
    else slow.push(response)
  })
  const earlier = getBalances(app, question)
  await expect.poll(() => slow.length).toBe(1)
  clock.ms += 1_000
  await getBalances(app, { ...question, forceUpdate: true })
  const [held] = slow
  if (held) json(held, { balances: [{ ...ether, quantity: { decimals: '18', numeric: '9' } }] })
  await earlier
  expect(await getBalances(app, question)).toEqual([ether])
})

test('behavior: a forced native balance waits for no earlier read, which does not undo it', async () => {
  const answers: ((wei: string) => void)[] = []
  const app = openApp({
    ...createBrowser().openTab(),
    fetch: () =>
      new Promise((resolve) => {
        answers.push((result) => resolve(Response.json({ id: 0, result })))
      }),
  })
  const earlier = getNativeBalance(app, question)
  await expect.poll(() => answers.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const forced = getNativeBalance(app, { ...question, forceUpdate: true })
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('0x2')
  expect(await forced).toBe(2n)
  answers[0]?.('0x1')
  await earlier
  expect(Object.values(app.store.getState().nativeBalances)).toEqual([2n])
  expect(await getNativeBalance(app, question)).toBe(2n)
})
