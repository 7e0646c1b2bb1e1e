import { makeDatabase } from '@latchkey/dev'
import { type RunningServer, startServer } from '@latchkey/server'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeWallet, deferred, fakeConnector } from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { App, Environment } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { apiTimeoutMs } from '../server/fetchJson.ts'
import { getSession } from './session.ts'
import { prepareSignIn } from './signIn.ts'
import { getSignIns } from './signIns.ts'
import { signOutSession } from './signOut.ts'

// A server without a project accepts pages of this machine.
const origin = 'http://localhost:5000'
const [alice, bob] = ['11', '22'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))
if (!alice || !bob) throw new Error('Two keys make two accounts')

let server: RunningServer
let passedMs = 0
beforeAll(async () => {
  server = await startServer(
    { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: await makeDatabase(), WEB_DIST: '/nowhere' },
    { clock: () => Date.now() + passedMs },
  )
})
afterAll(() => server.stop())
beforeEach(() => {
  passedMs = 0
})

/**
 * The cookies of a browser, and its requests to a server of the site `site`: it sends cookies only
 * if the page requests that, and then the page reads only the responses that the server allows.
 */
function createJar() {
  const jar = {
    cookie: '',
    site: 'same-site',
    isOffline: false,
    /** A path whose requests are blocked, and a path whose responses get lost. */
    blocked: '',
    lost: '',
    /** Delays the responses to sign-outs that are sent now. */
    hold: undefined as Promise<void> | undefined,
    holdVerify: undefined as Promise<void> | undefined,
    asked: [] as { path: string; keepalive: boolean | undefined }[],
    fetch: (async (input, init = {}) => {
      const path = new URL(String(input)).pathname.split('/').pop() ?? ''
      jar.asked.push({ path, keepalive: init.keepalive })
      const failure = new TypeError('Failed to fetch')
      if (jar.isOffline || path === jar.blocked) throw failure
      const headers = new Headers(init.headers)
      headers.set('origin', origin)
      headers.set('sec-fetch-site', jar.site)
      const isSent = init.credentials === 'include'
      const isOnSite = jar.site !== 'cross-site'
      if (isSent && isOnSite && jar.cookie) headers.set('cookie', jar.cookie)
      const hold = path === 'sign-out' ? jar.hold : path === 'verify' ? jar.holdVerify : undefined
      const response = await fetch(input, { ...init, headers })
      await hold
      const [set] = response.headers.getSetCookie()
      if (isSent && isOnSite && set)
        jar.cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
      if (path === jar.lost) throw failure
      if (isSent && !response.headers.has('access-control-allow-credentials')) throw failure
      return response
    }) as typeof fetch,
  }
  return jar
}

/** Whether the server still has the session of a cookie. */
async function isOpen(cookie: string) {
  const headers = { origin, 'sec-fetch-site': 'same-site', cookie }
  return (await fetch(`${server.url}/v1/siwx/session?projectId=local`, { headers })).ok
}

const createVisitor = () => ({ browser: createBrowser(), jar: createJar() })

/** A page of a user whose wallet has an account of alice or of bob. */
function openPage(
  { browser, jar }: ReturnType<typeof createVisitor>,
  account = alice,
  { hasLocks = true, ...environment }: Partial<Environment> & { hasLocks?: boolean } = {},
) {
  const wallet = createFakeWallet()
  wallet.accounts = [account?.address ?? '']
  wallet.answers.personal_sign = (params) => {
    const [raw] = params as [`0x${string}`]
    return account?.signMessage({ message: { raw } })
  }
  const location = { href: `${origin}/cart`, assign: () => {} }
  const page = Object.assign(createPage(), { location })
  if (hasLocks) Object.assign(page.navigator, { locks: browser.locks })
  return openApp(
    {
      ...browser.openTab(),
      connectors: [fakeConnector({ id: 'a.one', wallet })],
      fetch: jar.fetch,
      now: () => Date.now() + passedMs,
      page,
      ...environment,
    },
    { apiUrl: server.url, signIn: { required: false, keep: 'cookie' } },
  )
}

const session = (app: App) => getSession(app, app.store.getState())

/** The same once it is known. */
async function known(app: App) {
  await expect.poll(() => session(app)).not.toBeUndefined()
  return session(app)
}

async function signIn(app: App) {
  await connect(app, { connectorId: 'a.one' })
  await (await prepareSignIn(app)).sign()
  return session(app)
}

test('default: the secret is only in the cookie; after a reload, the account lists and ends the session', async () => {
  const visitor = createVisitor()
  const first = openPage(visitor)
  expect(await signIn(first)).toMatchObject({ csrfToken: expect.any(String) })
  const secret = visitor.jar.cookie.split('=')[1] ?? ''
  expect(secret.length).toBeGreaterThan(20)
  expect([...visitor.browser.entries.values()].join()).not.toContain(secret)
  expect(session(first)).not.toHaveProperty('token')
  first.destroy()
  const second = openPage(visitor)
  expect(await known(second)).toMatchObject({ csrfToken: expect.any(String) })
  expect(await getSignIns(second)).toMatchObject([{ isCurrent: true, origin }])
  await signOutSession(second)
  expect(visitor.jar.cookie).toBe('')
  expect(session(second)).toBeNull()
  second.destroy()
  expect(await known(openPage(visitor))).toBeNull()
})

test('behavior: another account replaces it, here and at the server', async () => {
  const visitor = createVisitor()
  const first = openPage(visitor)
  await signIn(first)
  const replaced = visitor.jar.cookie
  const elsewhere = openPage(visitor, bob)
  await signIn(elsewhere)
  expect(await known(first)).toBeNull()
  expect(await isOpen(replaced)).toBe(false)
  expect(session(elsewhere)).toMatchObject({ data: { accountAddress: bob.address } })
})

test('behavior: an expired session has ended after a reload', async () => {
  const visitor = createVisitor()
  const first = openPage(visitor)
  await signIn(first)
  first.destroy()
  passedMs = 7 * 24 * 3_600_000 + 1_000
  expect(await known(openPage(visitor))).toBeNull()
})

test('behavior: disconnecting signs out, by a request that outlives the page', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  await signIn(app)
  visitor.jar.asked = []
  await disconnect(app)
  await expect.poll(() => visitor.jar.cookie).toBe('')
  expect(visitor.jar.asked).toEqual([{ path: 'sign-out', keepalive: true }])
  await expect.poll(() => app.storage.get('siwxSessions')).toEqual([])
})

test('error: a sign-out that does not reach the server takes effect here and is repeated at the next visit', async () => {
  const visitor = createVisitor()
  const { jar } = visitor
  const first = openPage(visitor)
  await signIn(first)
  const { cookie } = jar
  jar.blocked = 'sign-out'
  await disconnect(first)
  await settle()
  await connect(first, { connectorId: 'a.one' })
  expect(await known(first)).toBeNull()
  expect(jar.cookie).toBe(cookie)
  await disconnect(first)
  first.destroy()

  jar.blocked = ''
  const second = openPage(visitor)
  await expect.poll(() => jar.cookie).toBe('')
  expect(await isOpen(cookie)).toBe(false)
  await expect.poll(() => second.storage.get('siwxSessions')).toEqual([])
})

test('behavior: an open page repeats it once it is online again', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  await signIn(app)
  visitor.jar.isOffline = true
  await disconnect(app)
  await settle()
  visitor.jar.isOffline = false
  app.environment.events?.dispatchEvent(new Event('online'))
  await expect.poll(() => visitor.jar.cookie).toBe('')
})

test('behavior: a late repetition of a sign-out does not end a newer session', async () => {
  const visitor = createVisitor()
  const { jar } = visitor
  const app = openPage(visitor)
  const left = await signIn(app)
  const { cookie } = jar
  jar.blocked = 'sign-out'
  await disconnect(app)
  await settle()
  await signIn(app)
  expect(await isOpen(cookie)).toBe(false)
  jar.blocked = ''
  const kept = app.storage.get('siwxSessions') ?? []
  app.storage.set('siwxSessions', [...kept, { ...left, isEnded: true }])
  app.destroy()
  const second = openPage(visitor)
  await expect.poll(() => second.storage.get('siwxSessions')).toEqual(kept)
  expect(await known(second)).toMatchObject({ csrfToken: expect.any(String) })
  expect(await isOpen(jar.cookie)).toBe(true)
})

test('error: a cookie without stored data ends at the next visit, even if no wallet connects', async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const first = openPage(visitor)
  await signIn(first)
  first.destroy()
  browser.entries.clear()
  const { cookie } = jar
  passedMs = 61_000
  openPage(visitor)
  await expect.poll(() => jar.cookie).toBe('')
  expect(await isOpen(cookie)).toBe(false)
})

test("behavior: another tab's new sign-in stays, and counts here once its stored data has arrived", async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const first = openPage(visitor)
  await signIn(first)
  const { cookie } = jar
  const late = [...browser.entries]
  browser.entries.clear()
  const second = openPage(visitor)
  await settle()
  second.environment.events?.dispatchEvent(new Event('online'))
  await settle()
  expect(jar.cookie).toBe(cookie)
  for (const [key, value] of late) browser.entries.set(key, value)
  second.destroy()
  expect(await known(openPage(visitor))).toMatchObject({ csrfToken: expect.any(String) })
  expect(await isOpen(cookie)).toBe(true)
})

test('behavior: a page that opens while another tab signs in leaves what that has kept', async () => {
  const visitor = createVisitor()
  const { jar } = visitor
  const first = openPage(visitor)
  await connect(first, { connectorId: 'a.one' })
  const { sign } = await prepareSignIn(first)
  await settle()
  const answered = deferred<void>()
  jar.holdVerify = answered.promise
  jar.asked = []
  const signing = sign()
  await expect.poll(() => jar.asked.map(({ path }) => path)).toContain('verify')
  const second = openPage(visitor)
  await expect.poll(() => jar.asked.map(({ path }) => path)).toContain('session')
  await settle()
  expect(second.storage.get('siwxSessions')).toHaveLength(1)
  answered.resolve()
  await signing
  expect(await known(openPage(visitor))).toMatchObject({ csrfToken: expect.any(String) })
})

test("behavior: a new session without stored data ends once another tab's data would have arrived", async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const first = openPage(visitor)
  await signIn(first)
  first.destroy()
  browser.entries.clear()
  const passed = deferred<void>()
  const sleep = (ms: number) => (ms === 60_000 ? passed.promise : new Promise<void>(() => {}))
  jar.asked = []
  openPage(visitor, alice, { sleep })
  await expect.poll(() => jar.asked.map(({ path }) => path)).toContain('session')
  await settle()
  expect(jar.cookie).not.toBe('')
  passedMs = 60_000
  passed.resolve()
  await expect.poll(() => jar.cookie).toBe('')
})

test('error: storage is cleared and the network is offline during a disconnect: the sign-out follows', async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const app = openPage(visitor)
  await signIn(app)
  browser.entries.clear()
  jar.isOffline = true
  await disconnect(app)
  await settle()
  jar.isOffline = false
  app.environment.events?.dispatchEvent(new Event('online'))
  await expect.poll(() => jar.cookie).toBe('')
})

test('error: a clock that is a day behind: a cookie without stored data still ends', async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const first = openPage(visitor)
  await signIn(first)
  first.destroy()
  browser.entries.clear()
  openPage(visitor, alice, { now: () => Date.now() - 24 * 3_600_000 })
  await expect.poll(() => jar.cookie).toBe('')
})

test('error: storage that is cleared on an open page: disconnecting still signs out', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  await signIn(app)
  visitor.browser.entries.clear()
  await disconnect(app)
  await expect.poll(() => visitor.jar.cookie).toBe('')
})

test('error: the answer to a sign-in is lost after the cookie has come: it counts at the next look', async () => {
  const visitor = createVisitor()
  const { jar } = visitor
  const first = openPage(visitor)
  jar.lost = 'verify'
  await expect(signIn(first)).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(session(first)).toBeNull()
  first.destroy()
  jar.lost = ''
  const second = openPage(visitor)
  expect(await known(second)).toMatchObject({
    csrfToken: expect.stringMatching(/.{20}/),
    message: expect.stringContaining('wants you to sign in'),
    expiresAt: expect.any(String),
  })
  await signOutSession(second)
  expect(jar.cookie).toBe('')
})

test('error: a sign-in that never reached the server does not count', async () => {
  const visitor = createVisitor()
  const { jar } = visitor
  const first = openPage(visitor)
  await connect(first, { connectorId: 'a.one' })
  const { sign } = await prepareSignIn(first)
  jar.isOffline = true
  await expect(sign()).rejects.toMatchObject({ code: 'OFFLINE' })
  first.destroy()
  jar.isOffline = false
  const second = openPage(visitor)
  expect(await known(second)).toBeNull()
  expect(second.storage.get('siwxSessions')).toEqual([])
})

test('error: a sign-out that does not reach the server is reported; it counts here, and is repeated', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  await signIn(app)
  visitor.jar.isOffline = true
  await expect(signOutSession(app)).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(session(app)).toBeNull()
  app.destroy()
  visitor.jar.isOffline = false
  expect(await known(openPage(visitor))).toBeNull()
  await expect.poll(() => visitor.jar.cookie).toBe('')
})

test('error: a CSRF token of another sign-in of the account is replaced by the cookie’s token', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  const good = await signIn(app)
  app.storage.set('siwxSessions', [{ ...good, csrfToken: 'x'.repeat(22) }])
  app.destroy()
  const second = openPage(visitor)
  expect(await known(second)).toEqual(good)
  // It is not known before an account that has just come back leaves.
  second.storage.set('siwxSessions', [{ ...good, csrfToken: 'y'.repeat(22) }])
  await signOutSession(second)
  expect(second.store.getState().alert).toBeUndefined()
  expect(visitor.jar.cookie).toBe('')
})

test('behavior: a sign-in waits for a pending sign-out, whose response would remove its cookie', async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const before = openPage(visitor)
  await signIn(before)
  before.destroy()
  browser.entries.clear()
  passedMs = 61_000
  jar.asked = []
  const answered = deferred<void>()
  jar.hold = answered.promise
  const app = openPage(visitor)
  await connect(app, { connectorId: 'a.one' })
  const signing = prepareSignIn(app).then(({ sign }) => sign())
  await expect.poll(() => jar.asked.map(({ path }) => path)).toContain('nonce')
  await settle()
  expect(jar.asked.map(({ path }) => path)).not.toContain('verify')
  answered.resolve()
  await signing
  const { cookie } = jar
  expect(await isOpen(cookie)).toBe(true)
  await signOutSession(app)
  expect(await isOpen(cookie)).toBe(false)
  app.destroy()
})

/** Alice's sign-out at a page, whose response is pending until `answered` resolves. */
async function leaveSlowly(app: App, { jar }: ReturnType<typeof createVisitor>) {
  await signIn(app)
  const answered = deferred<void>()
  jar.hold = answered.promise
  jar.asked = []
  await disconnect(app)
  await expect.poll(() => jar.asked).toMatchObject([{ path: 'sign-out' }])
  jar.hold = undefined
  return answered
}

test.each([
  ['another tab', { hasLocks: true, isOtherTab: true }],
  ['the same page, where there are no locks', { hasLocks: false, isOtherTab: false }],
])(
  'behavior: a sign-in waits for the answer to a sign-out of %s, which would remove its cookie',
  async (_, { hasLocks, isOtherTab }) => {
    const visitor = createVisitor()
    const { jar } = visitor
    const first = openPage(visitor, alice, { hasLocks })
    const second = isOtherTab ? openPage(visitor, bob) : first
    const answered = await leaveSlowly(first, visitor)
    const signing = signIn(second)
    await expect.poll(() => jar.asked.map(({ path }) => path)).toContain('nonce')
    await settle()
    expect(jar.asked.map(({ path }) => path)).not.toContain('verify')
    answered.resolve()
    expect(await signing).toMatchObject({ csrfToken: expect.any(String) })
    expect(await isOpen(jar.cookie)).toBe(true)
  },
)

test('behavior: a sign-out waits for the sign-in of another tab, and does not end it', async () => {
  const visitor = createVisitor()
  const { jar, browser } = visitor
  const first = openPage(visitor)
  await settle()
  const second = openPage(visitor, bob)
  await connect(second, { connectorId: 'a.one' })
  await settle()
  const { sign } = await prepareSignIn(second)
  await settle()
  const answered = deferred<void>()
  jar.holdVerify = answered.promise
  jar.asked = []
  const signing = sign()
  await expect.poll(() => jar.asked).toMatchObject([{ path: 'verify' }])
  // With nothing kept, it would be sent without a CSRF token.
  browser.entries.clear()
  first.environment.events?.dispatchEvent(new Event('online'))
  await settle()
  expect(jar.asked).toMatchObject([{ path: 'verify' }])
  answered.resolve()
  await signing
  await settle()
  expect(await isOpen(jar.cookie)).toBe(true)
})

test('error: a tab that a phone has put to sleep in its sign-out keeps no other from signing in', async () => {
  const visitor = createVisitor()
  const first = openPage(visitor)
  const passed = deferred<void>()
  const sleep = (ms: number) => (ms === apiTimeoutMs ? passed.promise : new Promise<void>(() => {}))
  const second = openPage(visitor, bob, { sleep })
  await leaveSlowly(first, visitor)
  const signing = signIn(second)
  await expect.poll(() => visitor.jar.asked.map(({ path }) => path)).toContain('nonce')
  await settle()
  expect(visitor.jar.asked.map(({ path }) => path)).not.toContain('verify')
  passed.resolve()
  expect(await signing).toMatchObject({ data: { accountAddress: bob.address } })
})

test('error: a page of another site gets an error that cookies are not for it', async () => {
  const visitor = createVisitor()
  visitor.jar.site = 'cross-site'
  const app = openPage(visitor)
  await expect(signIn(app)).rejects.toMatchObject({
    data: { reason: expect.stringContaining('for pages on the site of this server') },
  })
  await settle()
  expect(session(app)).toBeNull()
  expect(visitor.jar.cookie).toBe('')
})
