import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type AuthClient,
  codeIn,
  createAuthClient,
  reachCode,
  secretIn,
  signIn,
  wrongFor,
} from '../../../test/auth/authClient.ts'
import { holdWallet } from '../../../test/auth/holdWallet.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'

const old = { projectId: 'old', origin: 'https://old.example' }
const second = { projectId: 'old', origin: 'https://second.example' }
const plain = { projectId: 'plain', origin: 'https://old.example' }

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
  const { db, projects } = started.server.services
  const listed = [old.origin, second.origin, 'https://*.wild.example']
  await db
    .insertInto('projects')
    .values([
      { id: 'old', name: 'Old', allowed_origins: listed, otp_surface: 'host' },
      { id: 'plain', name: 'Plain', allowed_origins: listed },
      { id: 'other', name: 'Other', allowed_origins: [old.origin], otp_surface: 'host' },
    ])
    .execute()
  const isListed = async () => expect((await projects.read('old')).has('old')).toBe(true)
  await vi.waitFor(isListed, { timeout: 20_000 })
})
afterAll(() => started?.stop())

const newClient = () => createAuthClient(started.server)
const post = async (path: string, body: object) =>
  (await newClient()).post(path, JSON.stringify(body), {})
const setSurface = (otp_surface: 'frame' | 'host') =>
  started.server.services.db
    .updateTable('projects')
    .set({ otp_surface })
    .where('id', '=', 'old')
    .execute()

/** A login in a new browser up to its code, which the page passes on. */
async function passCode(email: string, { place = old, page = place as object } = {}) {
  const client = await newClient()
  const tx = await reachCode(client, started.inbox, email, place)
  const code = codeIn(started.inbox, email)
  return { client, tx, code, verify: () => client.call('/api/login/verify', { tx, code, page }) }
}

test('default: a listed page passes the code on; the link asks yes or no, and no mail or page has digits', async () => {
  const { inbox } = started
  const email = 'yes@example.com'
  const client = await newClient()
  const begun = (await client.begin(email, old)).body
  expect(begun).toMatchObject({ action: 'VERIFY_DEVICE' })
  expect(begun).not.toHaveProperty('matchCode')
  expect(inbox.mails[0]?.text).not.toContain('digits')
  // The code has a separate mail.
  expect(() => codeIn(inbox, email)).toThrow('No code')
  const secret = secretIn(inbox, email)
  expect((await post('/api/device-link', { secret })).body).toMatchObject({ withoutDigits: true })
  expect((await post('/api/device-link/approve', { secret })).body).toEqual({ approved: true })
  expect(inbox.mails[0]?.text).not.toContain('shows the number')
  const given = { tx: begun.tx, code: codeIn(inbox, email), page: old }
  expect((await client.call('/api/login/verify', given)).body.email).toBe(email)
})

test('behavior: no to the link ends the login', async () => {
  const { inbox } = started
  const client = await newClient()
  const { tx } = (await client.begin('no@example.com', old)).body
  const secret = secretIn(inbox, 'no@example.com')
  const refused = await post('/api/device-link/approve', { secret, refuse: true })
  expect(refused.body).toEqual({ approved: false })
  expect((await client.call('/api/login/device', { tx })).code).toBe('LOGIN_ENDED')
  expect((await post('/api/device-link/approve', { secret })).code).toBe('LINK_INVALID')
})

test('default: off, and for every page that is not listed by its exact origin', async () => {
  const client = await newClient()
  const ofPlain = (await client.begin('off@example.com', plain)).body
  expect(ofPlain.matchCode).toMatch(/^\d\d$/)
  const secret = secretIn(started.inbox, 'off@example.com')
  expect((await post('/api/device-link', { secret })).body).not.toHaveProperty('withoutDigits')
  expect((await post('/api/device-link/approve', { secret })).code).toBe('MATCH_CODE_WRONG')
  const off = await passCode('off2@example.com', { place: plain })
  expect((await off.verify()).code).toBe('CODE_NOT_TAKEN')
  const local = { projectId: 'local', origin: started.server.url }
  const own = await passCode('local@example.com', { place: local })
  expect((await own.verify()).code).toBe('CODE_NOT_TAKEN')
  const wild = { projectId: 'old', origin: 'https://a.wild.example' }
  expect((await (await newClient()).begin('wild@example.com', wild)).code).toBe(
    'ORIGIN_NOT_ALLOWED',
  )
  const trust = async (page: object) => (await post('/api/page-trust', page)).body.trusted
  expect(await trust(old)).toBe(true)
  for (const page of [plain, local, wild, { ...old, origin: `${old.origin}.evil.example` }])
    expect(await trust(page)).toBe(false)
})

test('behavior: a code counts for the page and the project of its login alone', async () => {
  for (const [index, page] of [
    { ...old, projectId: 'other' },
    second,
    plain,
    { projectId: 'old', origin: 'https://evil.example' },
  ].entries()) {
    const { client, tx, code, verify } = await passCode(`page${index}@example.com`, { page })
    expect((await verify()).code).toBe('CODE_NOT_TAKEN')
    // The code was not used up.
    expect((await client.call('/api/login/verify', { tx, code, page: old })).status).toBe(200)
  }
})

test('behavior: a setting that is turned off while a login runs counts at once', async () => {
  const { inbox } = started
  const { verify, client, tx, code } = await passCode('turned@example.com')
  const waiting = await newClient()
  await waiting.begin('turned2@example.com', old)
  const secret = secretIn(inbox, 'turned2@example.com')
  await setSurface('frame')
  expect((await verify()).code).toBe('CODE_NOT_TAKEN')
  expect((await post('/api/device-link', { secret })).code).toBe('LINK_INVALID')
  expect((await post('/api/device-link/approve', { secret })).code).toBe('LINK_INVALID')
  expect((await post('/api/page-trust', old)).body).toEqual({ trusted: false })
  // It was approved without digits, so the frame does not take the code either.
  expect((await client.call('/api/login/verify', { tx, code })).code).toBe('CODE_NOT_TAKEN')
  await setSurface('host')
})

test('behavior: a page that guesses has three tries for a code', async () => {
  const { client, tx, code, verify } = await passCode('guess@example.com')
  const guess = () => client.call('/api/login/verify', { tx, code: wrongFor(code), page: old })
  const codes = [await guess(), await guess(), await guess(), await verify()]
  expect(codes.map((reply) => reply.code)).toEqual([
    'CODE_WRONG',
    'CODE_WRONG',
    'CODE_WRONG',
    'CODE_USED_UP',
  ])
})

/** A user of the trusted page who holds a wallet. */
async function signInOwner(email: string): Promise<AuthClient> {
  const client = await newClient()
  await signIn(client, started.inbox, email, old)
  await holdWallet(started, client)
  started.time.nowMs += 31_000
  return client
}

test('behavior: codes for recovery, its ways, export and deletion are never taken from a page', async () => {
  const actions = [
    { purpose: 'recovery' },
    ...['add kit', 'new key', 'fresh wallet', 'export', 'delete', 'lost passkey'].map((action) => ({
      purpose: 'step-up',
      action,
    })),
  ]
  for (const [index, more] of actions.entries()) {
    const email = `owner${index}@example.com`
    const client = await signInOwner(email)
    const begun = await client.ask('/api/login', { ...old, ...more })
    expect([more, begun.status]).toEqual([more, 200])
    const { tx, matchCode } = begun.body
    // Digits as ever: such a code is typed into the frame.
    expect(matchCode).toMatch(/^\d\d$/)
    const code = codeIn(started.inbox, email)
    const passed = await client.ask('/api/login/verify', { tx, code, page: old })
    expect([more, passed.code]).toEqual([more, 'CODE_NOT_TAKEN'])
  }
  // Signing in to see the phrase is more than signing in.
  const exporting = await newClient()
  const tx = await reachCode(exporting, started.inbox, 'phrase@example.com', {
    ...old,
    action: 'export',
  })
  const code = codeIn(started.inbox, 'phrase@example.com')
  expect((await exporting.call('/api/login/verify', { tx, code, page: old })).code).toBe(
    'CODE_NOT_TAKEN',
  )
})

test('behavior: both codes of a change of address come from a trusted page alone', async () => {
  const client = await signInOwner('from@example.com')
  const { changeTx } = (await client.ask('/api/email/change', { to: 'to@example.com' })).body
  const step = (name: string, email: string, page?: object) =>
    client.ask(`/api/email/${name}`, { changeTx, code: codeIn(started.inbox, email), page })
  expect((await step('primary', 'from@example.com', plain)).code).toBe('CODE_NOT_TAKEN')
  expect((await step('primary', 'from@example.com', old)).status).toBe(200)
  await setSurface('frame')
  expect((await step('secondary', 'to@example.com', old)).code).toBe('CODE_NOT_TAKEN')
  await setSurface('host')
  expect((await step('secondary', 'to@example.com', old)).body).toEqual({
    newEmail: 'to@example.com',
  })
})
