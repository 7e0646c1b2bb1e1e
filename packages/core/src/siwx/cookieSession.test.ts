import { makeDatabase } from '@latchkey/dev'
import { type RunningServer, startServer } from '@latchkey/server'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { signOutSession } from './leaveSignIn.ts'
import { getSession } from './session.ts'
import { prepareSignIn } from './signIn.ts'
import { getSignIns } from './signIns.ts'

// Without a project of its own, a server takes pages of this machine.
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

/** The cookies of a browser, and how it asks a server of the site `site`: with them only if the page says so. */
function createJar() {
  const jar = {
    cookie: '',
    site: 'same-site',
    isOffline: false,
    fetch: (async (input, init = {}) => {
      if (jar.isOffline) throw new TypeError('Failed to fetch')
      const headers = new Headers(init.headers)
      headers.set('origin', origin)
      headers.set('sec-fetch-site', jar.site)
      const isSent = init.credentials === 'include'
      if (isSent && jar.cookie) headers.set('cookie', jar.cookie)
      const response = await fetch(input, { ...init, headers })
      const [set] = response.headers.getSetCookie()
      if (isSent && set) jar.cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
      return response
    }) as typeof fetch,
  }
  return jar
}

const createVisitor = () => ({ browser: createBrowser(), jar: createJar() })

/** A page of the visitor, whose wallet has an account of alice or of bob. */
function openPage({ browser, jar }: ReturnType<typeof createVisitor>, account = alice) {
  const wallet = createFakeWallet()
  wallet.accounts = [account?.address ?? '']
  wallet.answers.personal_sign = (params) => {
    const [raw] = params as [`0x${string}`]
    return account?.signMessage({ message: { raw } })
  }
  const location = { href: `${origin}/cart`, assign: () => {} }
  return openApp(
    {
      ...browser.openTab(),
      connectors: [fakeConnector({ id: 'a.one', wallet })],
      fetch: jar.fetch,
      now: () => Date.now() + passedMs,
      page: Object.assign(createPage(), { location }),
    },
    { apiUrl: server.url, siwx: { required: false, keep: 'cookie' } },
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

test('default: the secret is in the cookie alone; a reload keeps the session, and its account lists and ends it', async () => {
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
  const headers = { origin, 'sec-fetch-site': 'same-site', cookie: replaced }
  const asked = await fetch(`${server.url}/v1/siwx/session?projectId=local`, { headers })
  expect(asked.status).toBe(401)
  expect(session(elsewhere)).toMatchObject({ data: { accountAddress: bob.address } })
})

test('behavior: a session whose time is over is over after a reload', async () => {
  const visitor = createVisitor()
  const first = openPage(visitor)
  await signIn(first)
  first.destroy()
  passedMs = 7 * 24 * 3_600_000 + 1_000
  expect(await known(openPage(visitor))).toBeNull()
})

test('behavior: disconnecting signs out', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  await signIn(app)
  await disconnect(app)
  await expect.poll(() => visitor.jar.cookie).toBe('')
  expect(app.storage.get('siwxSessions')).toEqual([])
})

test('error: a sign-out that does not reach the server has not signed out: the cookie is still there', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  await signIn(app)
  visitor.jar.isOffline = true
  await expect(signOutSession(app)).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(session(app)).not.toBeNull()
  visitor.jar.isOffline = false
  await signOutSession(app)
  expect(visitor.jar.cookie).toBe('')
})

test('error: a wrong CSRF token changes nothing, and is no fault of the configuration', async () => {
  const visitor = createVisitor()
  const app = openPage(visitor)
  const good = await signIn(app)
  app.storage.set('siwxSessions', [{ ...good, csrfToken: 'x'.repeat(22) }])
  await expect(signOutSession(app)).rejects.toMatchObject({
    code: 'HTTP_FAILED',
    data: { status: 403 },
  })
  expect(app.store.getState().alert).toBeUndefined()
  expect(visitor.jar.cookie).not.toBe('')
})

test('error: a page of another site is told that cookies are not for it', async () => {
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
