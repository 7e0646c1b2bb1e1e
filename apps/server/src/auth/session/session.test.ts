import { type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type AuthClient,
  codeIn,
  createAuthClient,
  reachCode,
  sign,
  signIn,
} from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
})
afterAll(() => started?.stop())

const newClient = () => createAuthClient(started.server)
const signedIn = async (email: string) => {
  const client = await newClient()
  await signIn(client, started.inbox, email)
  started.time.nowMs += 30_000
  return client
}
const refresh = async (client: AuthClient, refreshToken = client.state.tokens?.refreshToken) =>
  client.call('/api/session/refresh', { refreshToken })
const minute = 60_000
const day = 24 * 60 * minute

test('request proofs: a proof is for one call of one key with one body, by a fresh nonce', async () => {
  const { server, time } = started
  const client = await signedIn('row44@example.com')
  const token = client.state.tokens?.accessToken ?? ''
  const me = (options: Parameters<AuthClient['call']>[2]) => client.call('/api/me', {}, options)
  const refused = async (options: Parameters<AuthClient['call']>[2]) => {
    await client.prime()
    const { status, code, headers } = await me(options)
    expect(headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    return `${status} ${code}`
  }
  await client.prime()
  const proof = await client.prove('/api/me', '{}', { token })
  expect((await me({ token, proof })).status).toBe(200)
  expect(await refused({ token, proof })).toBe('401 PROOF_INVALID')
  const invalid: Record<string, Parameters<AuthClient['call']>[2]> = {
    method: { claims: { htm: 'GET' } },
    path: { claims: { htu: '/api/session/end' } },
    url: { claims: { htu: `${server.frameUrl}/api/me` } },
    body: { claims: { bh: 'AAAA' } },
    'other token': { claims: { ath: 'AAAA' } },
    'no token hash': { claims: { ath: undefined } },
    'no jti': { claims: { jti: undefined } },
    'short jti': { claims: { jti: 'a' } },
    type: { header: { typ: 'JWT' } },
    'no key': { header: { jwk: undefined } },
    missing: { headers: { dpop: '' } },
    bearer: { headers: { authorization: `Bearer ${token}` } },
    garbage: { proof: 'a.b.c' },
    long: { proof: 'a'.repeat(5_000) },
  }
  const outcomes: Record<string, string> = {}
  for (const [name, options] of Object.entries(invalid))
    outcomes[name] = await refused({ token, ...options })
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['401 PROOF_INVALID']))
  expect(await refused({ token, claims: { nonce: 'AAAA' } })).toBe('401 PROOF_NONCE_NEEDED')
  expect(await refused({ token, claims: { nonce: 'A'.repeat(43) } })).toBe('401 PROOF_NONCE_NEEDED')

  await client.prime()
  const stale = await client.prove('/api/me', '{}', { token })
  time.nowMs += 5 * minute
  expect((await me({ token, proof: stale })).code).toBe('PROOF_NONCE_NEEDED')
  const thief = await newClient()
  expect((await thief.call('/api/me', {}, { token })).code).toBe('SIGNED_OUT')
  expect((await thief.call('/api/me', {})).code).toBe('SIGNED_OUT')
  expect((await me({ token })).status).toBe(200)
})

test('request proofs: other algorithms, no signature, another key than the one in the header', async () => {
  const client = await newClient()
  const signedBy = async (key: CryptoKey, header: Record<string, unknown>) => {
    const parts = (await client.prove('/api/me', '{}')).split('.')
    const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString())
    return (await client.call('/api/me', {}, { proof: await sign(key, header, claims) })).code
  }
  const one = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const wide = await generateKeyPair('ES384')
  const rsa = await generateKeyPair('RS256')
  const jwk = await exportJWK(one.publicKey)
  expect(await signedBy(one.privateKey, { jwk })).toBe('SIGNED_OUT')
  expect(await signedBy(other.privateKey, { jwk })).toBe('PROOF_INVALID')
  const wideHeader = { alg: 'ES384', jwk: await exportJWK(wide.publicKey) }
  expect(await signedBy(wide.privateKey, wideHeader)).toBe('PROOF_INVALID')
  const rsaHeader = { alg: 'RS256', jwk: await exportJWK(rsa.publicKey) }
  expect(await signedBy(rsa.privateKey, rsaHeader)).toBe('PROOF_INVALID')
  const proof = await client.prove('/api/me', '{}')
  const [, payload] = proof.split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk })).toString(
    'base64url',
  )
  const reply = await client.call('/api/me', {}, { proof: `${none}.${payload}.` })
  expect(reply.code).toBe('PROOF_INVALID')
})

test('clock skew: the browser’s clock does not matter', async () => {
  const { inbox, server } = started
  const tenYears = 10 * 365 * 86_400
  for (const offset of [-tenYears, -86_400, 86_400, tenYears]) {
    const client = await newClient()
    const email = `row45${offset}@example.com`
    await client.prime()
    const iat = Math.floor(Date.now() / 1000) + offset
    const claims = { iat }
    const body = { email, projectId: 'local', origin: server.url }
    const begun = await client.call('/api/login', body, { claims })
    expect(begun.status).toBe(200)
    const { tx, matchCode } = begun.body
    const link = { secret: secretOf(inbox.mails[0]?.text), matchCode }
    await client.post('/api/device-link/approve', JSON.stringify(link), {})
    const code = codeIn(inbox, email)
    const verified = await client.call('/api/login/verify', { tx, code }, { claims })
    expect(verified.status).toBe(200)
  }
})

const secretOf = (text = '') => /#([\w-]{22})$/m.exec(text)?.[1]

test('clock skew: the server’s own clock may step during a login', async () => {
  const { inbox, time } = started
  for (const step of [-5 * minute, 5 * minute]) {
    const client = await newClient()
    const email = `step45${step}@example.com`
    const tx = await reachCode(client, inbox, email)
    time.nowMs += step
    const verified = await client.call('/api/login/verify', { tx, code: codeIn(inbox, email) })
    expect(verified.status).toBe(200)
    client.state.tokens = verified.body
    time.nowMs += step
    expect((await client.ask('/api/me')).status).toBe(200)
  }
})

test('clock skew: daylight saving and the last second of a year are moments like others', async () => {
  // A separate server: if the clock went back while expired rows are deleted, new rows would go.
  const { server, inbox, time, stop } = await startAuthServer()
  onTestFinished(stop)
  for (const moment of ['2026-12-31T23:59:59.900Z', '2027-03-28T00:59:59.500Z']) {
    time.nowMs = Date.parse(moment)
    const client = await createAuthClient(server)
    const email = `dst${moment.slice(0, 4)}@example.com`
    const tx = await reachCode(client, inbox, email)
    time.nowMs += 1_000
    const code = codeIn(inbox, email)
    expect((await client.call('/api/login/verify', { tx, code })).status).toBe(200)
  }
})

test('clock skew: ten years ahead everything has expired; with the clock set back, a login works', async () => {
  const { server, inbox, time, stop } = await startAuthServer()
  onTestFinished(stop)
  const client = await createAuthClient(server)
  await signIn(client, inbox, 'years45@example.com')
  const before = time.nowMs
  time.nowMs += 3_650 * day
  expect((await client.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect((await refresh(client)).code).toBe('SIGNED_OUT')
  const ahead = await createAuthClient(server)
  expect((await ahead.begin('years45@example.com')).status).toBe(200)
  // The server deletes what has expired, the sessions last.
  const countSessions = async () =>
    (await server.services.db.selectFrom('sessions').select('id').execute()).length
  await expect.poll(countSessions).toBe(0)
  time.nowMs = before
  const back = await createAuthClient(server)
  await signIn(back, inbox, 'years45@example.com')
  expect((await back.ask('/api/me')).status).toBe(200)
})

test('refresh tokens: reusing a refresh token after a newer token was used ends the session', async () => {
  const { time } = started
  const client = await signedIn('row46@example.com')
  const stolen = client.state.tokens?.refreshToken
  const second = await refresh(client)
  expect(second.status).toBe(200)
  expect(second.body.refreshToken).not.toBe(stolen)
  time.nowMs += 10_001
  const third = await refresh(client, second.body.refreshToken)
  expect(third.status).toBe(200)
  time.nowMs += 10_001
  expect((await refresh(client, stolen)).code).toBe('SIGNED_OUT')
  const token = third.body.accessToken
  expect((await client.call('/api/me', {}, { token })).code).toBe('SIGNED_OUT')
  expect((await refresh(client, third.body.refreshToken)).code).toBe('SIGNED_OUT')
})

test('behavior: a session whose refresh responses were lost stays valid, also minutes later', async () => {
  const { time } = started
  const client = await signedIn('lost46@example.com')
  const held = client.state.tokens?.refreshToken
  for (const laterMs of [11 * 60_000, 11_000, 3_600_000]) {
    time.nowMs += laterMs
    expect((await refresh(client, held)).status).toBe(200)
  }
  const arrived = await refresh(client, held)
  const token = arrived.body.accessToken
  expect((await client.call('/api/me', {}, { token })).status).toBe(200)
  time.nowMs += 60_000
  expect((await refresh(client, arrived.body.refreshToken)).status).toBe(200)
})

test('behavior: a session survives the lost response of a confirmed action; reuse of the old token ends it', async () => {
  const { inbox, server, time } = started
  const email = 'lost-step-up@example.com'
  const client = await signedIn(email)
  const { accessToken, refreshToken: held } = client.state.tokens ?? {}
  const start = { projectId: 'local', origin: server.url, purpose: 'step-up', action: 'delete' }
  const { tx } = (await client.ask('/api/login', start)).body
  const confirmed = await client.ask('/api/login/verify', { tx, code: codeIn(inbox, email) })
  expect(confirmed.status).toBe(200)
  const me = (token?: string) => client.call('/api/me', {}, { token })
  expect((await me(accessToken)).code).toBe('SIGNED_OUT')
  time.nowMs += 60_000
  const { body } = await refresh(client, held)
  expect((await me(body.accessToken)).status).toBe(200)
  expect((await refresh(client, body.refreshToken)).status).toBe(200)
  time.nowMs += 60_000
  expect((await refresh(client, held)).code).toBe('SIGNED_OUT')
  expect((await me(body.accessToken)).code).toBe('SIGNED_OUT')
})

test('refresh tokens: two tabs that refresh at once both stay signed in', async () => {
  const { time } = started
  const client = await signedIn('tabs46@example.com')
  const tabs = await Promise.all([refresh(client), refresh(client)])
  expect(tabs.map(({ status }) => status)).toEqual([200, 200])
  time.nowMs += 9_999
  expect((await refresh(client)).status).toBe(200)
  for (const { body } of tabs) {
    expect((await client.call('/api/me', {}, { token: body.accessToken })).status).toBe(200)
    expect((await refresh(client, body.refreshToken)).status).toBe(200)
  }
})

test('refresh tokens: a refresh token in another browser ends the session', async () => {
  const client = await signedIn('stolen46@example.com')
  const thief = await newClient()
  expect((await refresh(thief, client.state.tokens?.refreshToken)).code).toBe('SIGNED_OUT')
  expect((await client.ask('/api/me')).code).toBe('SIGNED_OUT')
})

test('behavior: a login as another user gives that user’s session, not the earlier one again', async () => {
  const { inbox } = started
  const client = await signedIn('first-self@example.com')
  const token = client.state.tokens?.accessToken
  const tx = await reachCode(client, inbox, 'second-self@example.com')
  const code = codeIn(inbox, 'second-self@example.com')
  const { body } = await client.call('/api/login/verify', { tx, code }, { token })
  expect(body.userId).not.toBe(client.state.tokens?.userId)
  const me = await client.call('/api/me', {}, { token: body.accessToken })
  expect(me.body).toMatchObject({ userId: body.userId, email: 'second-self@example.com' })
})

test('behavior: two browsers that sign in for the first time at once are one user', async () => {
  const { inbox } = started
  const email = 'once@example.com'
  const clients = await Promise.all([newClient(), newClient(), newClient(), newClient()])
  const ready: { client: AuthClient; tx: string; code: string }[] = []
  for (const client of clients) {
    const tx = await reachCode(client, inbox, email)
    ready.push({ client, tx, code: codeIn(inbox, email) })
  }
  const replies = await Promise.all(
    ready.map(({ client, tx, code }) => client.call('/api/login/verify', { tx, code })),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(replies.map(({ body }) => body.userId)).size).toBe(1)
  expect(new Set(replies.map(({ body }) => body.deviceId)).size).toBe(4)
})

test('ended sessions: signing out takes effect at once; a forgotten browser needs a new approval', async () => {
  const { time } = started
  const client = await signedIn('out48@example.com')
  const { knownDevice } = client.state.tokens ?? {}
  expect((await client.ask('/api/session/end')).body).toEqual({})
  expect((await client.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect((await refresh(client)).code).toBe('SIGNED_OUT')
  const known = await client.begin('out48@example.com', { knownDevice })
  expect(known.body.action).toBe('VERIFY_OTP')
  const again = await signedIn('forget48@example.com')
  const forgotten = again.state.tokens?.knownDevice
  await again.ask('/api/session/end', { forget: true })
  time.nowMs += 30_000
  const asked = await again.begin('forget48@example.com', { knownDevice: forgotten })
  expect(asked.body.action).toBe('VERIFY_DEVICE')
})

test('ended sessions: signing out everywhere ends every browser', async () => {
  const one = await signedIn('every48@example.com')
  const two = await signedIn('every48@example.com')
  const stranger = await signedIn('stranger48@example.com')
  expect(one.state.tokens?.userId).toBe(two.state.tokens?.userId)
  expect((await one.ask('/api/session/end', { everywhere: true })).status).toBe(200)
  expect((await one.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect((await two.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect((await stranger.ask('/api/me')).status).toBe(200)
})

test('ended sessions: access lasts ten minutes, a session seven days idle and thirty days in total', async () => {
  const { time } = started
  const client = await newClient()
  await signIn(client, started.inbox, 'idle48@example.com', { action: 'export' })
  time.nowMs += 30_000
  const left = async (action: string) =>
    (await client.ask('/api/me', { action })).body.stepUpSeconds
  time.nowMs += 4 * minute
  expect(await left('export')).toBe(30)
  // The code does nothing that its mail did not name.
  expect(await left('delete')).toBe(0)
  time.nowMs += minute
  expect(await left('export')).toBe(0)
  time.nowMs += 5 * minute
  expect((await client.ask('/api/me')).code).toBe('SIGNED_OUT')
  time.nowMs += 7 * day - 11 * minute
  const idle = await refresh(client)
  expect(idle.status).toBe(200)
  time.nowMs += 7 * day
  expect((await refresh(client, idle.body.refreshToken)).code).toBe('SIGNED_OUT')

  const long = await signedIn('long48@example.com')
  const days: string[] = []
  let token = long.state.tokens?.refreshToken
  for (let count = 6; count <= 36; count += 6) {
    time.nowMs += 6 * day
    const reply = await refresh(long, token)
    token = reply.body.refreshToken ?? token
    days.push(`${count} ${reply.status}`)
  }
  // Half a minute had passed when the days began.
  expect(days).toEqual(['6 200', '12 200', '18 200', '24 200', '30 401', '36 401'])
})

test('foreign ids: a session gets the same response for the ids of other users as for unknown ids', async () => {
  const { inbox, server, time } = started
  const victim = await signedIn('victim49@example.com')
  const other = await signedIn('other49@example.com')
  const tx = (await (await newClient()).begin('login49@example.com')).body.tx
  const changeTx = (await victim.ask('/api/email/change', { to: 'x49@example.com' })).body.changeTx
  const start = { projectId: 'local', origin: server.url, purpose: 'step-up', action: 'delete' }
  const changeCode = codeIn(inbox, 'victim49@example.com')
  time.nowMs += 30_000
  const stepUp = (await victim.ask('/api/login', start)).body.tx
  expect(stepUp).toMatch(/^[\w-]{22}$/)
  const nobody = 'A'.repeat(22)
  const calls: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['/api/login/resend', { tx }, 'tx'],
    ['/api/login/device', { tx }, 'tx'],
    ['/api/login/verify', { tx, code: '123456' }, 'tx'],
    ['/api/login/verify', { tx: stepUp, code: '123456' }, 'tx'],
    ['/api/email/primary', { changeTx, code: changeCode }, 'changeTx'],
    ['/api/email/secondary', { changeTx, code: '123456' }, 'changeTx'],
    ['/api/email/resend', { changeTx }, 'changeTx'],
  ]
  for (const [path, body, field] of calls) {
    const theirs = await other.ask(path, body)
    const unknown = await other.ask(path, { ...body, [field]: nobody })
    expect([path, theirs.status, theirs.text]).toEqual([path, unknown.status, unknown.text])
    expect(theirs.status).toBe(410)
  }
  const guessed = 'A'.repeat(43)
  const foreign = victim.state.tokens?.accessToken
  const asVictim = await other.call('/api/me', {}, { token: foreign })
  expect(asVictim.text).toBe((await other.call('/api/me', {}, { token: guessed })).text)
  expect((await victim.ask('/api/me')).status).toBe(200)
})

test('behavior: expired rows are deleted', async () => {
  const { server, time } = started
  const { db } = server.services
  await signedIn('sweep@example.com')
  // Also rows from a time when the clock was far ahead.
  time.nowMs += 20 * 365 * day
  await server.tick()
  for (const table of [
    'proofs',
    'logins',
    'codes',
    'budgets',
    'sessions',
    'session_tokens',
    'step_ups',
    'known_devices',
    'email_changes',
  ] as const)
    expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  const users = await db.selectFrom('users').select('id').execute()
  expect(users.length).toBeGreaterThan(0)
})
