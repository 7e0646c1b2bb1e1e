import { randomBytes } from 'node:crypto'
import { describeSocials } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addPasskeyFactor,
  getPage,
  registerPasskey,
  startPasskey,
} from '../../../test/auth/addPasskey.ts'
import { type AuthClient, codeIn, createAuthClient, signIn } from '../../../test/auth/authClient.ts'
import { holdWallet } from '../../../test/auth/holdWallet.ts'
import { begin, writeSocials } from '../../../test/auth/socialBrowser.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { createVirtualPasskey } from '../../../test/auth/virtualPasskey.ts'
import { allowAction } from '../session/stepUp.ts'

const day = 24 * 3_600_000
const rpId = '127.0.0.1'
let started: AuthServer
let page: { origin: string; topOrigin: string }
beforeAll(async () => {
  // This test sends nothing to the providers.
  const socials = describeSocials({ url: 'http://127.0.0.1:9', secret: 'unused' })
  started = await startAuthServer({ SOCIALS_FILE: writeSocials(socials) })
  page = getPage(started)
})
afterAll(() => started?.stop())

const start = (client: AuthClient, purpose: string, more: object = {}) =>
  startPasskey(started, client, { purpose, ...more })
const verify = (client: AuthClient, challenge: string, answer: object) =>
  client.ask('/api/passkeys/verify', { challenge, answer })

/**
 * As if the wallet of a user had been created in this browser, with a passkey as the way of
 * recovery.
 */
const addWallet = async (client: AuthClient, credentialId: string) =>
  addPasskeyFactor(started, { walletId: await holdWallet(started, client), credentialId })

/** A signed-in user with a registered passkey that also recovers the wallet. */
async function makeOwner(name: string) {
  const email = `${name}@example.com`
  const client = await createAuthClient(started.server)
  await signIn(client, started.inbox, email)
  started.time.nowMs += 60_000
  const { passkey, userHandle } = await registerPasskey(started, client)
  const factorId = await addWallet(client, passkey.id)
  return { email, client, passkey, factorId, userHandle }
}
type Owner = Awaited<ReturnType<typeof makeOwner>>

const stepUp = async (
  { client, passkey }: Pick<Owner, 'client' | 'passkey'>,
  action: string,
  counter = 0,
) => {
  const { challenge } = (await start(client, 'step-up', { action })).body
  const reply = await verify(client, challenge, passkey.answer({ challenge, ...page, counter }))
  if (reply.status === 200) client.state.tokens = reply.body
  return reply
}
const seconds = async ({ client }: Pick<Owner, 'client'>, action: string) =>
  (await client.ask('/api/me', { action })).body.stepUpSeconds as number

/** As if the mailbox were enough: asks for a code and enters it. */
async function confirmByCode({ client, email }: Pick<Owner, 'client' | 'email'>, action: string) {
  started.time.nowMs += 60_000
  const more = { purpose: 'step-up', action, email: undefined }
  const { tx } = (
    await client.ask('/api/login', { projectId: 'local', origin: started.server.url, ...more })
  ).body
  const reply = await client.ask('/api/login/verify', { tx, code: codeIn(started.inbox, email) })
  client.state.tokens = reply.body
}

test('default: a passkey signs in another browser, and confirms one action there', async () => {
  const owner = await makeOwner('ada')
  const { passkey, userHandle, client } = owner
  const other = await createAuthClient(started.server)
  const { challenge, credentialIds } = (await start(other, 'login')).body
  expect(credentialIds).toEqual([])
  const answer = passkey.answer({ challenge, ...page, userHandle })
  const reply = await verify(other, challenge, answer)
  expect(reply.body).toMatchObject({
    userId: client.state.tokens?.userId,
    email: 'ada@example.com',
    stepUpSeconds: 0,
  })
  expect(reply.body.deviceId).not.toBe(client.state.tokens?.deviceId)
  expect((await start(client, 'step-up', { action: 'export' })).body.credentialIds).toEqual([
    passkey.id,
  ])
  expect((await stepUp(owner, 'export')).body).toMatchObject({ stepUpSeconds: 300 })
  expect(await seconds(owner, 'export')).toBe(300)
})

test('behavior: a passkey whose authenticator names no user signs its owner in', async () => {
  const owner = await makeOwner('unnamed')
  for (const userHandle of [undefined, '']) {
    const other = await createAuthClient(started.server)
    const { challenge } = (await start(other, 'login')).body
    const reply = await verify(
      other,
      challenge,
      owner.passkey.answer({ challenge, ...page, userHandle }),
    )
    expect(reply.body).toMatchObject({ userId: owner.client.state.tokens?.userId })
  }
})

test('weak passkeys: a replayed assertion, another challenge, and an expired challenge', async () => {
  const owner = await makeOwner('row42-replay')
  const { client, passkey } = owner
  const { challenge } = (await start(client, 'step-up', { action: 'delete' })).body
  const answer = passkey.answer({ challenge, ...page })
  const first = await verify(client, challenge, answer)
  expect(first.status).toBe(200)
  client.state.tokens = first.body
  expect((await verify(client, challenge, answer)).code).toBe('PASSKEY_REFUSED')
  const next = (await start(client, 'step-up', { action: 'delete' })).body.challenge
  expect((await verify(client, next, answer)).code).toBe('PASSKEY_REFUSED')
  const right = passkey.answer({ challenge: next, ...page })
  // A wrong answer has used it up.
  expect((await verify(client, next, right)).code).toBe('PASSKEY_REFUSED')
  const late = (await start(client, 'step-up', { action: 'delete' })).body.challenge
  started.time.nowMs += 5 * 60_000
  const lateAnswer = passkey.answer({ challenge: late, ...page })
  expect((await verify(client, late, lateAnswer)).code).toBe('PASSKEY_REFUSED')
  const unknown = randomBytes(32).toString('base64url')
  const invented = passkey.answer({ challenge: unknown, ...page })
  expect((await verify(client, unknown, invented)).code).toBe('PASSKEY_REFUSED')
})

test('weak passkeys: one challenge answered 20 times at once is answered once', async () => {
  const { client, passkey } = await makeOwner('row42-race')
  const { challenge } = (await start(client, 'step-up', { action: 'delete' })).body
  const answer = passkey.answer({ challenge, ...page })
  await client.prime()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => verify(client, challenge, answer)),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('weak passkeys: another origin, a frame in another page, an unverified user, another type', async () => {
  const owner = await makeOwner('row42-page')
  const { client, passkey } = owner
  const evil = 'https://evil.example'
  const wrong = {
    'other origin': { origin: evil },
    'page as origin': { origin: page.topOrigin },
    'cross-origin iframe': { topOrigin: evil },
    'cross-origin iframe that says it is none': { crossOrigin: false },
    'not embedded': { topOrigin: undefined },
    'user not verified': { isVerified: false },
    'other type': { type: 'webauthn.create' },
  }
  const codes: Record<string, string | undefined> = {}
  for (const [name, lie] of Object.entries(wrong)) {
    const { challenge } = (await start(client, 'step-up', { action: 'delete' })).body
    const answer = passkey.answer({ challenge, ...page, ...lie })
    codes[name] = (await verify(client, challenge, answer)).code
  }
  expect(new Set(Object.values(codes))).toEqual(new Set(['PASSKEY_REFUSED']))
  expect(await seconds(owner, 'delete')).toBe(0)
  // On the frame's own page nothing is around it.
  const { challenge } = (await start(client, 'step-up', { action: 'delete', origin: page.origin }))
    .body
  const embedded = passkey.answer({ challenge, ...page })
  expect((await verify(client, challenge, embedded)).code).toBe('PASSKEY_REFUSED')
  expect((await start(client, 'step-up', { action: 'delete', origin: evil })).code).toBe(
    'ORIGIN_NOT_ALLOWED',
  )
})

test('request forgery: a passkey with a certificate is refused, because its check would fetch addresses', async () => {
  const client = await createAuthClient(started.server)
  await signIn(client, started.inbox, 'row42-certificate@example.com')
  const register = async (attestation: 'self' | 'certificate') => {
    const { challenge } = (await start(client, 'register')).body
    const passkey = createVirtualPasskey(rpId).register({ challenge, ...page, attestation })
    return client.ask('/api/passkeys/register', { challenge, passkey })
  }
  expect((await register('certificate')).code).toBe('PASSKEY_REFUSED')
  expect((await register('self')).status).toBe(200)
})

test('weak passkeys: another relying party, a changed signature, a copied passkey whose counter goes back', async () => {
  const owner = await makeOwner('row42-counter')
  const { client, passkey } = owner
  const ask = async () => (await start(client, 'step-up', { action: 'delete' })).body.challenge
  const challenge = await ask()
  const other = createVirtualPasskey('evil.example').answer({ challenge, ...page })
  const forged = { ...other, id: passkey.id }
  expect((await verify(client, challenge, forged)).code).toBe('PASSKEY_REFUSED')
  const own = createVirtualPasskey(rpId)
  const again = await ask()
  const foreignKey = { ...own.answer({ challenge: again, ...page }), id: passkey.id }
  expect((await verify(client, again, foreignKey)).code).toBe('PASSKEY_REFUSED')
  expect((await stepUp(owner, 'delete', 7)).status).toBe(200)
  for (const counter of [7, 6, 0])
    expect((await stepUp(owner, 'delete', counter)).code).toBe('PASSKEY_REFUSED')
  expect((await stepUp(owner, 'delete', 8)).status).toBe(200)
})

test('weak passkeys: the credential of another user, in a session and as a login', async () => {
  const owner = await makeOwner('row42-owner')
  const mallory = await makeOwner('row42-mallory')
  const { challenge } = (await start(owner.client, 'step-up', { action: 'delete' })).body
  const answer = mallory.passkey.answer({ challenge, ...page })
  expect((await verify(owner.client, challenge, answer)).code).toBe('PASSKEY_REFUSED')
  const stolen = (await start(owner.client, 'step-up', { action: 'delete' })).body.challenge
  const elsewhere = owner.passkey.answer({ challenge: stolen, ...page })
  expect((await verify(mallory.client, stolen, elsewhere)).code).toBe('PASSKEY_REFUSED')
  const login = (await start(mallory.client, 'login')).body.challenge
  const named = mallory.passkey.answer({ challenge: login, ...page, userHandle: owner.userHandle })
  expect((await verify(mallory.client, login, named)).code).toBe('PASSKEY_REFUSED')
  // Registering another user's credential takes nothing from that user.
  const thief = await createAuthClient(started.server)
  await signIn(thief, started.inbox, 'row42-thief@example.com')
  const taken = (await start(thief, 'register')).body.challenge
  const passkey = owner.passkey.register({ challenge: taken, ...page })
  const reply = await thief.ask('/api/passkeys/register', { challenge: taken, passkey })
  expect(reply.code).toBe('PASSKEY_REFUSED')
})

test('weak passkeys: a proof for one purpose or target serves no other', async () => {
  const owner = await makeOwner('row42-purpose')
  const { client, passkey, userHandle } = owner
  const login = (await start(client, 'login')).body.challenge
  const asLogin = passkey.answer({ challenge: login, ...page, userHandle })
  // A browser has one session: this one takes the place of the one before.
  client.state.tokens = (await verify(client, login, asLogin)).body
  expect(await seconds(owner, 'delete')).toBe(0)
  expect((await start(client, 'register')).code).toBe('STEP_UP_NEEDED')
  await stepUp(owner, `remove ${owner.factorId}`)
  expect(await seconds(owner, `remove ${owner.factorId}`)).toBe(300)
  expect(await seconds(owner, `remove ${'0'.repeat(32)}`)).toBe(0)
  expect(await seconds(owner, 'export')).toBe(0)
  const registering = (await start(client, 'step-up', { action: 'add passkey' })).body.challenge
  const passed = passkey.register({ challenge: registering, ...page })
  const reply = await client.ask('/api/passkeys/register', {
    challenge: registering,
    passkey: passed,
  })
  expect(reply.code).toBe('PASSKEY_REFUSED')
  for (const [purpose, action] of [
    ['step-up', undefined],
    ['step-up', 'lost passkey'],
    ['login', 'delete'],
    ['register', 'export'],
  ])
    expect((await start(client, `${purpose}`, { action })).code).toBe('INVALID_PARAMS')
})

test('weak passkeys: a passkey from before there was a wallet is worth nothing, nor is a removed one', async () => {
  const email = 'planted@example.com'
  const thief = await createAuthClient(started.server)
  await signIn(thief, started.inbox, email)
  started.time.nowMs += 60_000
  const planted = createVirtualPasskey(rpId)
  const { challenge, userHandle } = (await start(thief, 'register')).body
  const passkey = planted.register({ challenge, ...page })
  expect((await thief.ask('/api/passkeys/register', { challenge, passkey })).status).toBe(200)
  const owner = await makeOwner('planted')
  const login = (await start(thief, 'login')).body.challenge
  const answer = planted.answer({ challenge: login, ...page, userHandle })
  expect((await verify(thief, login, answer)).code).toBe('PASSKEY_REFUSED')
  // A session of the mailbox alone confirms and registers nothing.
  expect((await start(thief, 'step-up', { action: 'delete' })).code).toBe('WALLET_NOT_ENROLLED')
  expect((await start(thief, 'register')).code).toBe('WALLET_NOT_ENROLLED')
  expect((await start(owner.client, 'register')).code).toBe('STEP_UP_NEEDED')
  const { db } = started.server.services
  await db.deleteFrom('recovery_factors').where('id', '=', owner.factorId).execute()
  expect((await stepUp(owner, 'delete')).code).toBe('PASSKEY_REFUSED')
})

test('behavior: with a passkey a code is not enough, until its loss was reported for a day', async () => {
  const owner = await makeOwner('lost')
  const { client } = owner
  const code = (action: string) => confirmByCode(owner, action)
  await code('delete')
  expect(await seconds(owner, 'delete')).toBe(0)
  expect((await client.ask('/api/passkeys/lost')).code).toBe('STEP_UP_NEEDED')
  await code('lost passkey')
  const { codesFromMs } = (await client.ask('/api/passkeys/lost')).body
  expect(codesFromMs).toBe(started.time.nowMs + day)
  expect(started.inbox.mails[0]?.subject).toBe('Your passkey was reported as lost')
  await code('delete')
  expect(await seconds(owner, 'delete')).toBe(0)
  started.time.nowMs = codesFromMs
  const { refreshToken } = client.state.tokens ?? {}
  client.state.tokens = (await client.call('/api/session/refresh', { refreshToken })).body
  await code('delete')
  expect(await seconds(owner, 'delete')).toBe(300)
  // The passkey is available after all.
  expect((await stepUp(owner, 'export')).status).toBe(200)
  await code('delete')
  expect(await seconds(owner, 'delete')).toBe(0)
})

test('behavior: codes confirm until a passkey is registered; older unregistered passkeys do not count', async () => {
  const email = 'old-passkey@example.com'
  const client = await createAuthClient(started.server)
  await signIn(client, started.inbox, email)
  const walletId = await holdWallet(started, client)
  await addPasskeyFactor(started, { walletId, credentialId: randomBytes(16).toString('base64url') })
  const owner = { email, client }
  expect((await start(client, 'step-up', { action: 'delete' })).body).toMatchObject({
    credentialIds: [],
    isCodeEnough: true,
  })
  await confirmByCode(owner, 'delete')
  expect(await seconds(owner, 'delete')).toBe(300)
  await confirmByCode(owner, 'add passkey')
  const { passkey } = await registerPasskey(started, client)
  await addPasskeyFactor(started, { walletId, credentialId: passkey.id })
  await confirmByCode(owner, 'delete')
  expect(await seconds(owner, 'delete')).toBe(0)
  expect((await stepUp({ ...owner, passkey }, 'delete')).status).toBe(200)
  expect(await seconds(owner, 'delete')).toBe(300)
})

test('behavior: a sign-in is linked with the passkey, and a code is not enough', async () => {
  const owner = await makeOwner('linking')
  const link = async () =>
    (await begin(owner.client, started.server, { provider: 'github', purpose: 'link' })).code
  expect(await link()).toBe('STEP_UP_NEEDED')
  await confirmByCode(owner, 'link github')
  expect(await link()).toBe('STEP_UP_NEEDED')
  expect((await stepUp(owner, 'link google')).status).toBe(200)
  expect(await link()).toBe('STEP_UP_NEEDED')
  expect((await stepUp(owner, 'link github')).status).toBe(200)
  expect(await link()).toBe(undefined)
})

test('behavior: a change of email needs the passkey for that very change', async () => {
  const owner = await makeOwner('change')
  const { client, email } = owner
  const begin = async (to: string) => {
    started.time.nowMs += 60_000
    return (await client.ask('/api/email/change', { to })).body.changeTx as string
  }
  const enter = (changeTx: string) =>
    client.ask('/api/email/primary', { changeTx, code: codeIn(started.inbox, email) })
  const other = await begin('other@example.com')
  await stepUp(owner, `change ${other}`)
  const changeTx = await begin('next@example.com')
  expect((await enter(changeTx)).code).toBe('STEP_UP_NEEDED')
  await stepUp(owner, `change ${changeTx}`)
  expect((await enter(changeTx)).status).toBe(200)
})

test("security: adding the first address takes the account's passkey, in a browser that holds the wallet", async () => {
  const owner = await makeOwner('first-address')
  const { client, passkey, userHandle } = owner
  const { db } = started.server.services
  const userId = client.state.tokens?.userId ?? ''
  // As if the account had begun at a provider.
  await db
    .updateTable('users')
    .set({ email_index: null, email_sealed: null })
    .where('id', '=', userId)
    .execute()
  const begun = await client.ask('/api/email/change', { to: 'first-mailbox@example.com' })
  expect(begun.body.action).toBe('STEP_UP')
  const { changeTx } = begun.body
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const nowMs = started.time.nowMs
  await allowAction(db, { sessionId: id, action: `change ${changeTx}`, nowMs })
  expect((await client.ask('/api/email/add', { changeTx })).code).toBe('STEP_UP_NEEDED')
  expect((await stepUp(owner, `change ${changeTx}`)).status).toBe(200)
  expect((await client.ask('/api/email/add', { changeTx })).status).toBe(200)
  // A sign-in alone, with the passkey too, is not the browser that holds the wallet.
  const other = await createAuthClient(started.server)
  const { challenge } = (await start(other, 'login')).body
  other.state.tokens = (
    await verify(other, challenge, passkey.answer({ challenge, ...page, userHandle }))
  ).body
  const refused = await other.ask('/api/email/change', { to: 'thief-mailbox@example.com' })
  expect(refused.code).toBe('WALLET_NOT_ENROLLED')
})

test('security: the confirmation of one unlimited approval counts for no other, and takes a passkey', async () => {
  const owner = await makeOwner('unlimited')
  const [one, other] = ['a', 'b'].map((letter) => `allow ${letter.repeat(22)}`) as [string, string]
  expect(await seconds(owner, one)).toBe(0)
  expect((await stepUp(owner, one)).status).toBe(200)
  expect(await seconds(owner, one)).toBe(300)
  for (const action of [other, 'export', 'delete']) expect(await seconds(owner, action)).toBe(0)
  for (const action of ['allow', 'allow a', `allow ${'a'.repeat(22)} delete`])
    expect((await start(owner.client, 'step-up', { action })).status).toBe(400)
  await confirmByCode(owner, other)
  expect(started.inbox.mails[0]?.text).toContain('others may then take all that you have')
  expect(await seconds(owner, other)).toBe(0)
})

test('security: a page that keeps loading its frame uses up login challenges, not those that confirm', async () => {
  const owner = await makeOwner('nia')
  const { client } = owner
  const login = async (by: AuthClient) => (await start(by, 'login')).code
  for (let times = 0; times < 60; times++) expect(await login(client)).toBe(undefined)
  expect(await login(client)).toBe('LOGIN_THROTTLED')
  expect((await stepUp(owner, 'delete')).status).toBe(200)
  // If the browser stores nothing, its frame has another key each time.
  const { address } = client
  for (let times = 0; times < 3; times++) {
    const other = await createAuthClient(started.server, { address })
    for (let each = 0; each < 60; each++) expect(await login(other)).toBe(undefined)
  }
  const last = await createAuthClient(started.server, { address })
  expect(await login(last)).toBe('LOGIN_THROTTLED')
  expect((await stepUp(owner, 'export', 1)).status).toBe(200)
  // Confirmations have a limit, too: two confirmations and one registration count so far.
  const codes: unknown[] = []
  for (let times = 0; times < 58; times++)
    codes.push((await start(client, 'step-up', { action: 'export' })).code)
  expect(codes.indexOf('LOGIN_THROTTLED')).toBe(57)
})
