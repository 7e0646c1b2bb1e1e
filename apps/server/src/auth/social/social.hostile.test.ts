import { exportSPKI, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthClient } from '../../../test/auth/authClient.ts'
import {
  continueToProvider,
  finish,
  leave,
  writeSocials,
} from '../../../test/auth/socialBrowser.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { type Forged, startForger } from '../../../test/startForger.ts'

let forger: Awaited<ReturnType<typeof startForger>>
let started: AuthServer
beforeAll(async () => {
  forger = await startForger()
  started = await startAuthServer({ SOCIALS_FILE: writeSocials(forger.socials) })
})
afterAll(async () => {
  await started?.stop()
  await forger?.stop()
})

type ProviderResponse = {
  readonly forged?: Forged
  readonly user?: unknown
  /** Changes what the provider's redirect carries. */
  readonly answer?: (parameters: URLSearchParams) => void
  /** Changes what the provider remembers of the request. */
  readonly remember?: (state: typeof forger.state) => void
  readonly callback?: string
}

/**
 * A login with this answer: the window's last URL, and the error code of the frame's finish or the
 * user.
 */
async function logIn(provider: 'google' | 'github', given: ProviderResponse = {}) {
  const { server } = started
  const client = await createAuthClient(server)
  const { tx, window, target } = await leave(client, server, { provider })
  expect(target.searchParams.get('code_challenge_method')).toBe('S256')
  forger.state.nonce = target.searchParams.get('nonce') ?? ''
  forger.state.challenge = target.searchParams.get('code_challenge') ?? ''
  forger.state.next = given.forged ?? {}
  forger.state.user = given.user
  given.remember?.(forger.state)
  const state = target.searchParams.get('state') ?? ''
  const parameters = new URLSearchParams({ code: 'code', state, iss: forger.url })
  given.answer?.(parameters)
  const path = `/oauth/callback/${given.callback ?? provider}`
  const end = await window.go(`${server.frameUrl}${path}?${parameters}`)
  const { hash } = new URL(end.headers.get('location') ?? '')
  if (hash === '#ended') return { hash, userId: undefined }
  const reply = await finish(client, tx)
  return { hash, userId: reply.code ?? reply.body.refused ?? (reply.body.tokens.userId as string) }
}
const refused = { hash: '#failed', userId: 'failed' }

test('forged provider answer: an honest answer signs in', async () => {
  expect((await logIn('google')).hash).toBe('#done')
  expect((await logIn('github', { user: { id: 7, login: 'seven' } })).hash).toBe('#done')
})

test('forged provider answer: state, iss and the path of the answer', async () => {
  const before = forger.state.exchanges
  const ended = { hash: '#ended', userId: undefined }
  expect(await logIn('google', { answer: (to) => to.delete('state') })).toEqual(ended)
  expect(await logIn('google', { answer: (to) => to.set('state', 'A'.repeat(43)) })).toEqual(ended)
  // The answer of another provider, in the window of this login.
  expect(await logIn('google', { callback: 'github' })).toEqual(ended)
  expect(await logIn('google', { callback: 'myspace' })).toEqual(ended)
  for (const provider of ['google', 'github'] as const)
    expect(
      await logIn(provider, { answer: (to) => to.set('iss', 'https://evil.example') }),
    ).toEqual(refused)
  expect(await logIn('google', { answer: (to) => to.delete('code') })).toEqual(refused)
  expect(forger.state.exchanges).toBe(before)
})

test("behavior: a response of another login ends nothing, and the login's own response still signs in", async () => {
  const { server } = started
  const client = await createAuthClient(server)
  const { tx, window, target } = await leave(client, server, { provider: 'google' })
  const back = async (provider: string, parameters: object) => {
    const query = new URLSearchParams({ code: 'code', iss: forger.url, ...parameters })
    const end = await window.go(`${server.frameUrl}/oauth/callback/${provider}?${query}`)
    return new URL(end.headers.get('location') ?? '').hash
  }
  const own = target.searchParams.get('state') ?? ''
  const told = { tx, strayed: true }
  for (const [provider, parameters] of [
    ['google', { state: 'A'.repeat(43) }],
    ['google', {}],
    ['github', { state: own }],
    ['myspace', { state: own }],
  ] as const) {
    await server.services.db.updateTable('social_logins').set({ strayed_at: null }).execute()
    expect(await back(provider, parameters)).toBe('#ended')
    expect((await client.call('/api/social/finish', { tx })).body).toEqual({ strayed: true })
  }
  // Back in the window, to the way to the provider.
  await server.services.db.updateTable('social_logins').set({ strayed_at: null }).execute()
  expect(new URL(await continueToProvider(window, server)).hash).toBe('#ended')
  expect((await client.call('/api/social/finish', { tx })).body).toEqual({ strayed: true })
  const waiting = client.call('/api/social/finish', told)
  forger.state.nonce = target.searchParams.get('nonce') ?? ''
  forger.state.challenge = target.searchParams.get('code_challenge') ?? ''
  forger.state.next = {}
  expect(await back('google', { state: own })).toBe('#done')
  expect((await waiting).body.tokens.userId).toEqual(expect.any(String))
})

test('behavior: if a frame never acknowledges stray responses, its login fails instead of polling forever', async () => {
  const { server } = started
  const client = await createAuthClient(server)
  const { tx, window } = await leave(client, server, { provider: 'google' })
  const stray = async () => {
    const query = new URLSearchParams({ code: 'code', state: 'A'.repeat(43) })
    await window.go(`${server.frameUrl}/oauth/callback/google?${query}`)
  }
  const finish = async (body: object = { tx }) => {
    const answer = await client.call('/api/social/finish', body)
    return answer.body
  }
  await stray()
  for (let told = 0; told < 5; told += 1) expect(await finish()).toEqual({ strayed: true })
  // Another window of the login begins the count again.
  await stray()
  for (let told = 0; told < 5; told += 1) expect(await finish()).toEqual({ strayed: true })
  expect(await finish()).toEqual({ refused: 'failed' })
  for (const body of [{ tx }, { tx, strayed: true }])
    expect((await finish(body)).code).toBe('LOGIN_ENDED')
})

test('forged provider answer: PKCE: the provider refuses a code of another request', async () => {
  const remember = (state: typeof forger.state) => {
    state.challenge = 'A'.repeat(43)
  }
  expect(await logIn('google', { remember })).toEqual(refused)
  expect(forger.state.pkceFailures).toBe(1)
})

test('forged provider answer: an ID token with another nonce, issuer, audience, time, key or algorithm', async () => {
  const other = await generateKeyPair('RS256')
  const elliptic = await generateKeyPair('ES256')
  const publicPem = Buffer.from(await exportSPKI(forger.publicKey))
  const past = Math.floor(Date.now() / 1000) - 3_600
  const unsigned = (token: string) => {
    const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    return `${head}.${token.split('.')[1]}.`
  }
  const swapped = (token: string) => {
    const [head, , signature] = token.split('.')
    const claims = { iss: forger.url, aud: 'client', sub: 'victim', iat: past, exp: past + 9_999 }
    const body = Buffer.from(JSON.stringify({ ...claims, nonce: forger.state.nonce }))
    return `${head}.${body.toString('base64url')}.${signature}`
  }
  const forgeries: Record<string, Forged> = {
    'no nonce': { claims: { nonce: undefined } },
    nonce: { claims: { nonce: 'another' } },
    issuer: { claims: { iss: 'https://evil.example' } },
    audience: { claims: { aud: 'another' } },
    expired: { claims: { iat: past, exp: past + 300 } },
    'no expiry': { claims: { exp: undefined } },
    'no subject': { claims: { sub: undefined } },
    'an empty subject': { claims: { sub: '' } },
    'a blank subject': { claims: { sub: ' ' } },
    'an invisible subject': { claims: { sub: '\u200b' } },
    'a long subject': { claims: { sub: 'a'.repeat(256) } },
    key: { key: other.privateKey },
    kid: { key: other.privateKey, header: { kid: 'two' } },
    HS256: { key: publicPem, header: { alg: 'HS256' } },
    'client secret': { key: Buffer.from('a secret'), header: { alg: 'HS256' } },
    ES256: { key: elliptic.privateKey, header: { alg: 'ES256' } },
    none: { raw: unsigned },
    body: { raw: swapped },
    garbage: { raw: () => 'a.b.c' },
    missing: { raw: () => '' },
  }
  const outcomes: Record<string, unknown> = {}
  for (const [name, forged] of Object.entries(forgeries))
    outcomes[name] = await logIn('google', { forged })
  expect(outcomes).toEqual(
    Object.fromEntries(Object.keys(forgeries).map((name) => [name, refused])),
  )
})

test('unverified address: another subject with the same, an unverified or no email is another account', async () => {
  const users = new Set<unknown>()
  for (const claims of [
    { sub: 'a', email: 'same@example.com', email_verified: true },
    { sub: 'b', email: 'same@example.com', email_verified: true },
    { sub: 'c', email: 'same@example.com', email_verified: false },
    { sub: 'd', email: null },
    { sub: 'A', email: 'same@example.com' },
  ])
    users.add((await logIn('google', { forged: { claims } })).userId)
  expect(users.size).toBe(5)
  const again = await logIn('google', {
    forged: { claims: { sub: 'a', email: 'new@example.com' } },
  })
  expect(users.has(again.userId)).toBe(true)
})

test('unverified address: a user API without an immutable id signs no one in', async () => {
  for (const user of [
    {},
    { login: 'name' },
    { id: null, login: 'name' },
    { id: '' },
    { id: -1 },
    [],
  ])
    expect(await logIn('github', { user })).toEqual(refused)
  const one = await logIn('github', { user: { id: 8, login: 'renamed' } })
  const other = await logIn('github', { user: { id: 9, login: 'renamed' } })
  expect(one.userId).not.toBe(other.userId)
  expect((await logIn('github', { user: { id: 8, login: 'other name' } })).userId).toBe(one.userId)
})
