import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addPasskeyFactor,
  getPage,
  registerPasskey,
  startPasskey,
} from '../../../test/auth/addPasskey.ts'
import { type AuthClient, codeIn, createAuthClient, signIn } from '../../../test/auth/authClient.ts'
import { beginAccount, makePasskey } from '../../../test/auth/beginAccount.ts'
import { holdWallet } from '../../../test/auth/holdWallet.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { hasPasskeyAlone, readPasskeys, retirePasskeys } from './passkeys.ts'

const hourMs = 3_600_000
const operator = 'ops@shop.example'
let started: AuthServer
let page: { origin: string; topOrigin: string }
beforeAll(async () => {
  started = await startAuthServer({
    PASSKEY_ACCOUNTS: 'on',
    PASSKEY_ACCOUNTS_PER_HOUR: '2',
    PASSKEY_ACCOUNTS_OF_ALL_PER_HOUR: '20',
    OPERATOR_EMAIL: operator,
  })
  page = getPage(started)
})
afterAll(() => started?.stop())

type Passkey = ReturnType<typeof makePasskey>

const open = () => createAuthClient(started.server)
const auth = () => ({ db: started.server.services.db, clock: () => started.time.nowMs })
const userOf = (client: AuthClient) => client.state.tokens?.userId ?? ''
const startAccount = (client: AuthClient) => startPasskey(started, client, { purpose: 'account' })

async function logIn(client: AuthClient, passkey: Passkey) {
  const { challenge } = (await startPasskey(started, client, { purpose: 'login' })).body
  const reply = await client.ask('/api/passkeys/verify', {
    challenge,
    answer: passkey.answer({ challenge, ...page }),
  })
  if (reply.status === 200) client.state.tokens = reply.body
  return reply
}

async function confirm(client: AuthClient, passkey: Passkey, action: string) {
  const { challenge } = (await startPasskey(started, client, { purpose: 'step-up', action })).body
  const answer = passkey.answer({ challenge, ...page })
  const reply = await client.ask('/api/passkeys/verify', { challenge, answer })
  if (reply.status === 200) client.state.tokens = reply.body
  return reply
}

/** An account with an address that was added to it. */
async function addAddress(email: string) {
  const client = await open()
  const { passkey } = await beginAccount(started, client)
  const walletId = await holdWallet(started, client)
  const begun = await client.ask('/api/email/change', { to: email })
  expect(begun.body.action).toBe('STEP_UP')
  const { changeTx } = begun.body
  expect((await client.ask('/api/email/add', { changeTx })).code).toBe('STEP_UP_NEEDED')
  expect((await confirm(client, passkey, `change ${changeTx}`)).status).toBe(200)
  expect((await client.ask('/api/email/add', { changeTx })).status).toBe(200)
  const code = codeIn(started.inbox, email)
  const added = await client.ask('/api/email/secondary', { changeTx, code })
  expect(added.body).toEqual({ newEmail: email })
  return { client, passkey, walletId }
}

test('default: a passkey alone begins an account, and signs in to it in another browser', async () => {
  const client = await open()
  const { passkey } = await beginAccount(started, client)
  expect(client.state.tokens).toMatchObject({ email: null, stepUpSeconds: 0 })
  const other = await open()
  expect((await logIn(other, passkey)).body).toMatchObject({ userId: userOf(client), email: null })
  expect(other.state.tokens?.deviceId).not.toBe(client.state.tokens?.deviceId)
})

test('param: PASSKEY_ACCOUNTS is off by default, and such an account is refused', async () => {
  const plain = await startAuthServer()
  try {
    const client = await createAuthClient(plain.server)
    const reply = await startPasskey(plain, client, { purpose: 'account' })
    expect(reply.code).toBe('INVALID_PARAMS')
    const config = await (await fetch(`${plain.server.url}/config.json`)).json()
    expect(config).toMatchObject({ passkeyAccounts: false })
  } finally {
    await plain.stop()
  }
})

test('account farming: a network address begins a few accounts an hour, before a passkey is made for more', async () => {
  const { address } = await open()
  const from = () => createAuthClient(started.server, { address })
  await beginAccount(started, await from())
  const late = await from()
  const { challenge } = (await startAccount(late)).body
  await beginAccount(started, await from())
  expect((await startAccount(await from())).code).toBe('LOGIN_THROTTLED')
  // A challenge from before the limit was reached does not go past it.
  const passkey = makePasskey(started).register({ challenge, ...page })
  const reply = await late.ask('/api/passkeys/account', { challenge, passkey })
  expect(reply.code).toBe('LOGIN_THROTTLED')
  expect((await startAccount(await open())).status).toBe(200)
  started.time.nowMs += hourMs
  await beginAccount(started, await from())
})

test('account farming: a limit for all pauses new accounts, and not the sign-ins', async () => {
  started.time.nowMs += hourMs
  const first = await open()
  const { passkey } = await beginAccount(started, first)
  for (let more = 1; more < 20; more++) await beginAccount(started, await open())
  expect((await startAccount(await open())).code).toBe('LOGIN_THROTTLED')
  expect((await logIn(await open(), passkey)).status).toBe(200)
  const ready = await (await fetch(`${started.server.url}/ready`)).text()
  expect(ready).toContain('New accounts with a passkey are paused')
  const alerts = () => started.inbox.mails.filter(({ to }) => to.includes(operator))
  await expect.poll(alerts).toHaveLength(1)
  started.time.nowMs += hourMs
  expect((await startAccount(await open())).status).toBe(200)
})

test('login CSRF: the session goes to the device key that began, once, and a login is no account', async () => {
  const mallory = await open()
  const victim = await open()
  const { challenge } = (await startAccount(mallory)).body
  const passkey = makePasskey(started).register({ challenge, ...page })
  const post = (client: AuthClient, body: object) => client.ask('/api/passkeys/account', body)
  expect((await post(victim, { challenge, passkey })).code).toBe('PASSKEY_REFUSED')
  // A wrong answer has used it up.
  expect((await post(mallory, { challenge, passkey })).code).toBe('PASSKEY_REFUSED')
  for (const purpose of ['login', 'register'] as const) {
    const client = await open()
    if (purpose === 'register')
      await signIn(client, started.inbox, `${purpose}-is-no-account@example.com`)
    const other = (await startPasskey(started, client, { purpose })).body.challenge
    const made = makePasskey(started).register({ challenge: other, ...page })
    const reply = await post(client, { challenge: other, passkey: made })
    expect(reply.code).toBe('PASSKEY_REFUSED')
  }
})

test('weak passkeys: an account begins only with a new passkey, of a verified user, in the right page', async () => {
  const owner = await open()
  const known = await beginAccount(started, owner)
  const attempt = async (make: (challenge: string) => object) => {
    const client = await open()
    const { challenge } = (await startAccount(client)).body
    const body = { challenge, passkey: make(challenge) }
    return (await client.ask('/api/passkeys/account', body)).code
  }
  const fresh = () => makePasskey(started)
  const codes = [
    await attempt((challenge) => known.passkey.register({ challenge, ...page })),
    await attempt((challenge) => fresh().register({ challenge, ...page, isVerified: false })),
    await attempt((challenge) =>
      fresh().register({ challenge, ...page, topOrigin: 'https://other.example' }),
    ),
    await attempt((challenge) =>
      fresh().register({ challenge, ...page, origin: 'https://other.example' }),
    ),
    await attempt(() => fresh().register({ challenge: 'A'.repeat(43), ...page })),
    // To check a certificate, the server would fetch the addresses in it.
    await attempt((challenge) =>
      fresh().register({ challenge, ...page, attestation: 'certificate' }),
    ),
  ]
  expect(new Set(codes)).toEqual(new Set(['PASSKEY_REFUSED']))
  const signsItself = await attempt((challenge) =>
    fresh().register({ challenge, ...page, attestation: 'self' }),
  )
  expect(signsItself).toBeUndefined()
  expect((await logIn(await open(), known.passkey)).body.userId).toBe(userOf(owner))
})

test('behavior: without a way of recovery the passkey signs in and confirms, until another passkey recovers', async () => {
  const client = await open()
  const { passkey } = await beginAccount(started, client)
  const walletId = await holdWallet(started, client)
  // The hour in which the first way of recovery needs no confirmation.
  started.time.nowMs += hourMs
  const { refreshToken } = client.state.tokens ?? {}
  client.state.tokens = (await client.call('/api/session/refresh', { refreshToken })).body
  expect((await confirm(client, passkey, 'add passkey')).status).toBe(200)
  // It is offered as a way of recovery, and its authenticator makes no second passkey.
  const listed = async () => (await client.ask('/api/passkeys')).body
  expect(await listed()).toEqual({ credentialIds: [passkey.id], first: passkey.id })
  const adding = await startPasskey(started, client, { purpose: 'register' })
  expect(adding.body.credentialIds).toEqual([passkey.id])
  const second = await registerPasskey(started, client)
  expect(await readPasskeys(auth(), userOf(client))).toEqual([passkey.id])
  await addPasskeyFactor(started, { walletId, credentialId: second.passkey.id })
  expect(await readPasskeys(auth(), userOf(client))).toEqual([second.passkey.id])
  expect(await listed()).toEqual({ credentialIds: [second.passkey.id] })
  expect((await logIn(await open(), passkey)).code).toBe('PASSKEY_REFUSED')
})

test('behavior: an email address is added later, and signs in to the same account', async () => {
  const email = 'added-later@example.com'
  const { client, passkey } = await addAddress(email)
  const other = await open()
  await signIn(other, started.inbox, email)
  expect(userOf(other)).toBe(userOf(client))
  // The mailbox alone takes nothing from the passkey, and the passkey removes the mailbox.
  const { body } = await client.ask('/api/identities')
  expect(body).toMatchObject({ identities: [], beganWithPasskey: true })
  expect((await client.ask('/api/email/remove')).code).toBe('STEP_UP_NEEDED')
  expect((await confirm(client, passkey, 'unlink email')).status).toBe(200)
  expect((await client.ask('/api/email/remove')).status).toBe(200)
  expect((await logIn(await open(), passkey)).body).toMatchObject({ email: null })
})

test('behavior: a passkey that was removed signs in no longer, unless it is the only way to sign in', async () => {
  const alone = await open()
  const only = await beginAccount(started, alone)
  const { db } = started.server.services
  const retire = (userId: string, { id }: Passkey) =>
    retirePasskeys(db, { userId, credentialIds: [id] })
  await retire(userOf(alone), only.passkey)
  expect((await logIn(await open(), only.passkey)).status).toBe(200)
  const { client, passkey } = await addAddress('retired@example.com')
  await retire(userOf(client), passkey)
  expect((await logIn(await open(), passkey)).code).toBe('PASSKEY_REFUSED')
})

test('account farming: the sponsor recognizes the wallet of a passkey alone, until an address is added', async () => {
  const { db } = started.server.services
  const addressOf = async (client: AuthClient) => {
    const { eip155 } = await db
      .selectFrom('wallets')
      .select('eip155')
      .where('user_id', '=', userOf(client))
      .executeTakeFirstOrThrow()
    return eip155
  }
  const client = await open()
  await beginAccount(started, client)
  await holdWallet(started, client)
  expect(await hasPasskeyAlone(db, (await addressOf(client)).toUpperCase())).toBe(true)
  const { client: withMail } = await addAddress('sponsored@example.com')
  expect(await hasPasskeyAlone(db, await addressOf(withMail))).toBe(false)
  expect(await hasPasskeyAlone(db, `0x${'9'.repeat(40)}`)).toBe(false)
})
