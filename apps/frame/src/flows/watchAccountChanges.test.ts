import { type LoginTokens, readMeRoute } from '@latchkey/wire'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DpopFetch } from '../auth/dpopFetch.ts'
import { createLoginSession } from '../auth/loginSession.ts'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { announceWallet, watchWallet } from './walletNews.ts'
import { watchAccountChanges } from './watchAccountChanges.ts'

const tokens: LoginTokens = {
  accessToken: 'a'.repeat(43),
  refreshToken: 'r'.repeat(43),
  expiresInSeconds: 600,
  userId: crypto.randomUUID(),
  deviceId: crypto.randomUUID(),
  email: 'ann@people.example',
  stepUpSeconds: 0,
}

/** Opens two tabs of one browser. The second tab is visible. */
async function openTabs(send: DpopFetch = async () => ({})) {
  const store = createMemoryStore()
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const closing = new AbortController()
  const open = () => {
    const session = createLoginSession({ store, send, now: () => 0 })
    watchAccountChanges(
      { session, window: { document: page } as unknown as Window },
      closing.signal,
    )
    return session
  }
  const [one, two] = [open(), open()]
  await one.saveTokens(tokens)
  const told = vi.fn()
  two.subscribe(told)
  return { one, two, told, page, close: () => closing.abort() }
}

test('default: another tab hears of a changed address and of a sign-out, once each', async () => {
  const { one, told, close } = await openTabs()
  await one.setEmail({ userId: tokens.userId, email: 'bob@people.example' })
  await expect.poll(() => told.mock.lastCall).toMatchObject([{ email: 'bob@people.example' }])
  const before = told.mock.calls.length
  await one.end({})
  await expect.poll(() => told.mock.lastCall).toEqual([undefined])
  expect(told.mock.calls.length).toBe(before + 1)
  close()
})

test('behavior: a change by another browser appears when the page becomes visible', async () => {
  const me = {
    userId: tokens.userId,
    deviceId: '',
    email: 'eve@people.example',
    hadNoEmail: false,
    stepUpSeconds: 0,
    undoSeconds: 0,
  }
  const { two, told, page, close } = await openTabs(async ({ path }) =>
    path === readMeRoute.path ? me : {},
  )
  page.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => told.mock.lastCall).toMatchObject([{ email: me.email }])
  expect((await two.read())?.email).toBe(me.email)
  close()
})

test('behavior: without BroadcastChannel, a session is stored and followed, but tabs get no wallet news', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { one, two, close } = await openTabs()
  const look = vi.fn()
  watchWallet(look, new AbortController().signal)
  announceWallet()
  await one.setEmail({ userId: tokens.userId, email: 'bob@people.example' })
  expect((await two.read())?.email).toBe('bob@people.example')
  expect(look).not.toHaveBeenCalled()
  close()
})

test('error: the address of one user is not written into the session of another who signed in meanwhile', async () => {
  const { one, close } = await openTabs()
  await one.saveTokens({ ...tokens, userId: crypto.randomUUID() })
  await one.setEmail({ userId: tokens.userId, email: 'other@people.example' })
  expect((await one.read())?.email).toBe('ann@people.example')
  close()
})
