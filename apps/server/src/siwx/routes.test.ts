import { createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { type Chains, startChains } from '@latchkey/dev'
import { encodeBase58 } from '@latchkey/wire'
import { createSiwxMessage, type SiwxMessage } from '@latchkey/wire/siwx'
import { Hono } from 'hono'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { hostedSiwxRoutes } from './hostedRoutes.ts'
import { siwxRoutes } from './routes.ts'
import { sweepSiwx } from './siwxStore.ts'

const evm = 'eip155:31337'
const origin = 'https://shop.example'
const key = (seed: string) =>
  privateKeyToAccount(`0x${createHash('sha256').update(seed).digest('hex')}`)
const alice = key('alice')
const bob = key('bob')

let chains: Chains
let opened: Awaited<ReturnType<typeof openTestDatabase>>
let nowMs = Date.UTC(2026, 0, 1)
/** The server's clock; a test may replace it. */
let clock = () => nowMs
let app: Hono

beforeAll(async () => {
  ;[chains, opened] = await Promise.all([startChains({ ports: 'free' }), openTestDatabase()])
})
afterAll(() => Promise.all([chains?.stop(), opened?.close()]))
beforeEach(async () => {
  await opened.db.deleteFrom('siwx_nonces').execute()
  await opened.db.deleteFrom('siwx_sessions').execute()
  clock = () => nowMs
  const made = makeServices({ [evm]: chainWith([chains.urls[evm]]) }, () => clock())
  const services = { ...made, db: opened.db }
  const upstreams = createUpstreams(services)
  app = new Hono()
    .route('/', siwxRoutes(services, upstreams))
    .route('/', hostedSiwxRoutes(services, upstreams))
})

type Options = {
  body?: object | undefined
  from?: string | undefined
  project?: string
  headers?: Record<string, string>
}

async function ask(method: 'GET' | 'POST', path: string, options: Options = {}) {
  const { body, from = origin, project = 'shop', headers = {} } = options
  const response = await app.request(
    `${path.startsWith('/') ? '' : '/v1/siwx/'}${path}?projectId=${project}`,
    {
      method,
      headers: { ...(from && { origin: from }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    },
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function getNonce(options?: Options): Promise<string> {
  const { status, body } = await ask('POST', 'nonce', options)
  expect(status).toBe(200)
  return body.nonce
}

const fields = (nonce: string, change: Partial<SiwxMessage> = {}): SiwxMessage => ({
  domain: 'shop.example',
  accountAddress: alice.address,
  chainId: evm,
  statement: 'Sign in',
  uri: `${origin}/login`,
  version: '1',
  nonce,
  issuedAt: new Date(nowMs).toISOString(),
  ...change,
})

async function sign(nonce: string, change?: Partial<SiwxMessage>, account = alice) {
  const message = createSiwxMessage(fields(nonce, change))
  return { message, signature: await account.signMessage({ message }) }
}

async function signIn(change?: Partial<SiwxMessage>) {
  const { status, body } = await ask('POST', 'verify', {
    body: await sign(await getNonce(), change),
  })
  expect(status).toBe(200)
  return body as { token: string; session: { id: string } }
}

const otherCharacter = (character: string) => (character === 'b' ? 'c' : 'b')

const reason = (field: string, text = '') => ({
  status: 'FAILED',
  reasons: [{ field, description: expect.stringContaining(text) }],
})

test('default: a session by a token, which the page and its backend can use', async () => {
  const { token, session } = await signIn()
  expect(session).toEqual({
    id: expect.any(String),
    chainId: evm,
    accountAddress: alice.address,
    origin,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + 7 * 24 * 3_600_000).toISOString(),
  })
  for (const from of [origin, ''])
    expect(await ask('GET', 'session', { from, headers: bearer(token) })).toMatchObject({
      status: 200,
      body: { session },
    })
  // Only its hash is stored.
  const rows = await opened.db.selectFrom('siwx_sessions').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  const answer = await ask('POST', 'sign-out', { headers: bearer(token) })
  expect(answer.body).toEqual({ status: 'SUCCESS' })
  expect(await ask('GET', 'session', { headers: bearer(token) })).toMatchObject({
    status: 401,
    body: reason('session'),
  })
})

test('default: other namespaces', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const message = createSiwxMessage(
    fields(await getNonce(), {
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      accountAddress: encodeBase58(raw),
    }),
  )
  const signature = encodeBase58(signBytes(null, Buffer.from(message), privateKey))
  expect(await ask('POST', 'verify', { body: { message, signature } })).toMatchObject({
    status: 200,
    body: { session: { accountAddress: encodeBase58(raw) } },
  })
})

test('default: a contract signs for its own network, and is another account elsewhere', async () => {
  // Code that returns the four bytes of EIP-1271 for every call.
  const contract = `0x${'c1'.repeat(20)}`
  await rpc('anvil_setCode', [contract, '0x631626ba7e60e01b5f5260205ff3'])
  const message = createSiwxMessage(fields(await getNonce(), { accountAddress: contract }))
  const signed = { message, signature: `0x${'12'.repeat(65)}` }
  expect(await ask('POST', 'verify', { body: signed })).toMatchObject({ status: 200 })
  const stored = await opened.db.selectFrom('siwx_sessions').select('account').execute()
  expect(stored).toEqual([{ account: `${evm}:${contract}` }])
  const elsewhere = createSiwxMessage(
    fields(await getNonce(), { accountAddress: contract, chainId: 'eip155:5' }),
  )
  const other = { message: elsewhere, signature: `0x${'12'.repeat(65)}` }
  expect(await ask('POST', 'verify', { body: other })).toMatchObject({
    status: 401,
    body: reason('signature'),
  })
  const wrapped = { ...other, signature: `0x${'12'.repeat(65)}${'8010'.repeat(16)}` }
  expect(await ask('POST', 'verify', { body: wrapped })).toMatchObject({
    status: 401,
    body: reason('signature', 'ERC-8010 signatures are not verified'),
  })
})

test.each([
  ['domain', { domain: 'other.example' }],
  ['uri', { uri: 'https://other.example/login' }],
  ['issuedAt', { issuedAt: '2025-12-31T23:00:00Z' }],
  ['issuedAt', { issuedAt: '2026-01-01T01:00:00Z' }],
  ['expirationTime', { expirationTime: '2025-12-31T23:59:59Z' }],
  ['notBefore', { notBefore: '2026-01-01T00:00:01Z' }],
  ['nonce', { nonce: 'madeUpByThePage' }],
] as const)('error: %s: %j', async (field, change) => {
  const body = await sign(await getNonce(), change)
  expect(await ask('POST', 'verify', { body })).toMatchObject({ status: 400, body: reason(field) })
})

test.each([
  ['domain', 'shop.example wants', 'shop.evil wants', 'domain'],
  ['accountAddress', alice.address, bob.address, 'signature'],
  ['accountAddress', alice.address, alice.address.slice(0, -1), 'accountAddress'],
  ['statement', 'Sign in', 'Give in', 'signature'],
  ['uri', '/login', '/logout', 'signature'],
  ['uri', `URI: ${origin}`, 'URI: https://shop.evil', 'uri'],
  ['version', 'Version: 1', 'Version: 2', 'version'],
  ['chainId', 'Chain ID: 31337', 'Chain ID: 1', 'signature'],
  ['nonce', 'Nonce: ', 'Nonce: 0', 'nonce'],
  ['issuedAt', ':00.000Z', ':01.000Z', 'signature'],
  ['expirationTime', 'T01:00:00Z', 'T02:00:00Z', 'signature'],
  ['notBefore', 'T00:00:00Z', 'T00:00:00.0Z', 'signature'],
  ['requestId', 'Request ID: one', 'Request ID: two', 'signature'],
  ['resources', 'https://shop.example/terms', 'https://shop.example/other', 'signature'],
  ['text', 'Version: 1\n', '', 'text'],
])('error: %s altered from "%s" to "%s" is refused as %s', async (_, from, to, field) => {
  nowMs = Date.UTC(2026, 0, 1)
  const signed = await sign(await getNonce(), {
    expirationTime: '2026-01-01T01:00:00Z',
    notBefore: '2026-01-01T00:00:00Z',
    requestId: 'one',
    resources: ['https://shop.example/terms'],
  })
  const message = signed.message.replace(from, to)
  expect(message).not.toBe(signed.message)
  const refused = await ask('POST', 'verify', { body: { ...signed, message } })
  expect(refused).toMatchObject({ status: field === 'signature' ? 401 : 400, body: reason(field) })
})

test('error: altered after it was signed, or signed by another account', async () => {
  const signed = await sign(await getNonce())
  const lines = signed.message.split('\n')
  const tries = lines
    .map((line, at) => lines.with(at, line.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, otherCharacter)))
    .map((altered) => altered.join('\n'))
    .filter((message) => message !== signed.message)
  expect(tries.length).toBe(lines.filter((line) => /[a-z0-9]/i.test(line)).length)
  for (const message of tries) {
    const { status } = await ask('POST', 'verify', { body: { ...signed, message } })
    expect([400, 401]).toContain(status)
  }
  const byBob = await sign(await getNonce(), {}, bob)
  expect(await ask('POST', 'verify', { body: byBob })).toMatchObject({
    status: 401,
    body: reason('signature'),
  })
  expect(await opened.db.selectFrom('siwx_sessions').selectAll().execute()).toEqual([])
})

test('error: a nonce is for one sign-in, one page, one account and ten minutes', async () => {
  const used = await sign(await getNonce())
  // Of concurrent requests, one wins.
  const answers = await Promise.all([1, 2, 3].map(() => ask('POST', 'verify', { body: used })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect(await ask('POST', 'verify', { body: used })).toMatchObject({
    status: 400,
    body: reason('nonce', 'was already used'),
  })
  const elsewhere = await sign(await getNonce({ from: 'https://evil.example' }))
  const project = await sign(await getNonce({ project: 'other' }))
  for (const body of [elsewhere, project])
    expect(await ask('POST', 'verify', { body })).toMatchObject({
      body: reason('nonce', 'another page'),
    })
  const nonce = await getNonce()
  const wrong = { ...(await sign(nonce)), signature: `0x${'11'.repeat(65)}` }
  expect(await ask('POST', 'verify', { body: wrong })).toMatchObject({ status: 401 })
  const byBob = await sign(nonce, { accountAddress: bob.address }, bob)
  expect(await ask('POST', 'verify', { body: byBob })).toMatchObject({
    body: reason('nonce', 'another account'),
  })
  // The nonce's own account may still try again.
  expect(await ask('POST', 'verify', { body: await sign(nonce) })).toMatchObject({ status: 200 })
  const late = await getNonce()
  nowMs += 600_000
  expect(await ask('POST', 'verify', { body: await sign(late) })).toMatchObject({
    body: reason('nonce', 'expired'),
  })
})

test('error: a clock that is set back in the middle opens no session without a signature', async () => {
  const startMs = nowMs
  const signed = await sign(await getNonce(), { issuedAt: new Date(nowMs + 599_000).toISOString() })
  const body = { ...signed, signature: `0x${'11'.repeat(65)}` }
  const statuses = new Set<number>()
  for (let late = 0; late < 6; late++) {
    let readings = 0
    clock = () => startMs + (readings++ < late ? 600_000 : 599_000)
    statuses.add((await ask('POST', 'verify', { body })).status)
  }
  // The nonce had expired, or not.
  expect(statuses).toEqual(new Set([400, 401]))
  expect(await opened.db.selectFrom('siwx_sessions').selectAll().execute()).toEqual([])
})

test('error: a token is good on its own page and in its own project, until it expires', async () => {
  const { token } = await signIn({ expirationTime: new Date(nowMs + 1000).toISOString() })
  const refused = { status: 401, body: reason('session') }
  const headers = bearer(token)
  expect(await ask('GET', 'session', { headers, from: 'https://evil.example' })).toMatchObject(
    refused,
  )
  expect(await ask('GET', 'session', { headers, project: 'other' })).toMatchObject(refused)
  expect(await ask('GET', 'session')).toMatchObject(refused)
  expect(await ask('GET', 'session', { headers: bearer('x'.repeat(43)) })).toMatchObject(refused)
  expect(await ask('GET', 'session', { headers })).toMatchObject({ status: 200 })
  nowMs += 1000
  expect(await ask('GET', 'session', { headers })).toMatchObject(refused)
  await getNonce()
  nowMs += 600_000
  await sweepSiwx({ db: opened.db, clock: () => nowMs })
  expect(await opened.db.selectFrom('siwx_sessions').selectAll().execute()).toEqual([])
  expect(await opened.db.selectFrom('siwx_nonces').selectAll().execute()).toEqual([])
})

test('default: an account reads and ends its other sessions, at most twenty, and no other account’s', async () => {
  const first = await signIn()
  const tokens = [first.token]
  for (let at = 0; at < 20; at++) {
    nowMs += 4000
    tokens.push((await signIn()).token)
  }
  const headers = bearer(tokens.at(-1) ?? '')
  const { body } = await ask('GET', 'sessions', { headers })
  expect(body.sessions).toHaveLength(20)
  expect(body.sessions).not.toContainEqual(first.session)
  const nonce = await getNonce()
  const byBob = await sign(nonce, { accountAddress: bob.address }, bob)
  const bobs = (await ask('POST', 'verify', { body: byBob })).body
  const gone = { status: 404, body: reason('id') }
  const revoke = (id: string) => ask('POST', 'revoke', { headers, body: { id } })
  expect(await revoke(bobs.session.id)).toMatchObject(gone)
  expect(await revoke(body.sessions[19].id)).toMatchObject({ body: { status: 'SUCCESS' } })
  expect(await revoke(body.sessions[19].id)).toMatchObject(gone)
  expect(await ask('GET', 'session', { headers: bearer(tokens[1] ?? '') })).toMatchObject({
    status: 401,
  })
  expect(await ask('GET', 'session', { headers: bearer(bobs.token) })).toMatchObject({
    status: 200,
  })
})

test('default: a session in a cookie, for pages of the same site, changed only with its CSRF token', async () => {
  const site = { 'sec-fetch-site': 'same-site' }
  const body = { ...(await sign(await getNonce())), keep: 'cookie' }
  expect(await ask('POST', 'verify', { body })).toMatchObject({ status: 400, body: reason('keep') })
  const cross = { 'sec-fetch-site': 'cross-site' }
  expect(await ask('POST', 'verify', { body, headers: cross })).toMatchObject({ status: 400 })
  const opened = await ask('POST', 'verify', { body, headers: site })
  expect(opened.body).toEqual({ session: expect.any(Object), csrfToken: expect.any(String) })
  const set = opened.headers.get('set-cookie') ?? ''
  expect(set).toMatch(/; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
  const cookie = set.split(';')[0] ?? ''
  const me = await ask('GET', 'session', { headers: { cookie, ...site } })
  expect(me).toMatchObject({ status: 200, body: opened.body })
  expect(me.headers.get('access-control-allow-origin')).toBe(origin)
  expect(me.headers.get('access-control-allow-credentials')).toBe('true')
  const own = { cookie, 'sec-fetch-site': 'same-origin' }
  expect(await ask('GET', 'session', { from: '', headers: own })).toMatchObject({ status: 200 })
  // Without an origin any program may have sent it; another page of the site is another origin; and
  // a cookie is not a token.
  const refused = { status: 401, body: reason('session') }
  expect(await ask('GET', 'session', { from: '', headers: { cookie } })).toMatchObject(refused)
  const sister = { from: 'https://blog.shop.example', headers: { cookie, ...site } }
  expect(await ask('GET', 'session', sister)).toMatchObject(refused)
  const secret = cookie.split('=')[1] ?? ''
  expect(await ask('GET', 'session', { headers: bearer(secret) })).toMatchObject(refused)
  const wrong = { cookie, ...site, 'x-csrf-token': 'x'.repeat(22) }
  for (const [path, headers, body] of [
    ['sign-out', wrong, undefined],
    ['revoke', wrong, { id: opened.body.session.id }],
    ['revoke', { cookie, ...site }, { id: opened.body.session.id }],
  ] as const)
    expect(await ask('POST', path, { headers, body })).toMatchObject({
      status: 403,
      body: reason('x-csrf-token'),
    })
  const headers = { cookie, ...site, 'x-csrf-token': opened.body.csrfToken }
  const out = await ask('POST', 'sign-out', { headers })
  expect(out.status).toBe(200)
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(await ask('GET', 'session', { headers: { cookie, ...site } })).toMatchObject(refused)
})

test('behavior: a page signs out its own cookie without a CSRF token; no other page or token can', async () => {
  const site = { 'sec-fetch-site': 'same-site' }
  const body = { ...(await sign(await getNonce())), keep: 'cookie' }
  const opened = await ask('POST', 'verify', { body, headers: site })
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const headers = { cookie, ...site }
  const done = { status: 200, body: { status: 'SUCCESS' } }
  const sister = await ask('POST', 'sign-out', { from: 'https://blog.shop.example', headers })
  expect(sister).toMatchObject(done)
  expect(sister.headers.get('set-cookie')).toBeNull()
  const refused = { status: 401, body: reason('session') }
  expect(await ask('POST', 'sign-out', { from: '', headers })).toMatchObject(refused)
  const secret = bearer(cookie.split('=')[1] ?? '')
  expect(await ask('POST', 'sign-out', { headers: secret })).toMatchObject(refused)
  expect(await ask('GET', 'session', { headers })).toMatchObject({ status: 200 })

  const out = await ask('POST', 'sign-out', { headers })
  expect(out).toMatchObject(done)
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(await ask('GET', 'session', { headers })).toMatchObject(refused)
  expect(await ask('POST', 'sign-out', { headers })).toMatchObject(done)
  expect(
    await ask('POST', 'sign-out', { headers: { ...site, 'x-csrf-token': 'x' } }),
  ).toMatchObject(refused)
})

test("behavior: a sign-out with an earlier session's CSRF token does not end the current session", async () => {
  const site = { 'sec-fetch-site': 'same-site' }
  const open = async (account: typeof alice, headers: Record<string, string>) => {
    const change = { accountAddress: account.address }
    const body = { ...(await sign(await getNonce(), change, account)), keep: 'cookie' }
    const opened = await ask('POST', 'verify', { body, headers })
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return { cookie, csrfToken: String(opened.body.csrfToken) }
  }
  const earlier = await open(alice, site)
  const { cookie } = await open(bob, { ...site, cookie: earlier.cookie })
  const headers = { ...site, cookie }
  const late = { ...headers, 'x-csrf-token': earlier.csrfToken }
  const out = await ask('POST', 'sign-out', { headers: late })
  expect(out).toMatchObject({ status: 403, body: reason('x-csrf-token') })
  expect(out.headers.get('set-cookie')).toBeNull()
  expect(await ask('GET', 'session', { headers })).toMatchObject({
    status: 200,
    body: { session: { accountAddress: bob.address } },
  })
})

test('error: a page of another site can read why it gets no cookie', async () => {
  const body = { ...(await sign(await getNonce())), keep: 'cookie' }
  const cross = { 'sec-fetch-site': 'cross-site' }
  const answer = await ask('POST', 'verify', { body, headers: cross })
  expect(answer).toMatchObject({ status: 400, body: reason('keep', 'over https') })
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
  const me = await ask('GET', 'session', { headers: cross })
  expect(me.headers.get('access-control-allow-credentials')).toBeNull()
})

test('error: no other host of the site can write the cookie', async () => {
  const made = makeServices({ [evm]: chainWith([chains.urls[evm]]) }, () => nowMs)
  const config = { ...made.config, publicUrl: 'https://wallet.shop.example' }
  const services = { ...made, config, db: opened.db }
  app = new Hono().route('/', siwxRoutes(services, createUpstreams(services)))
  const body = { ...(await sign(await getNonce())), keep: 'cookie' }
  const headers = { 'sec-fetch-site': 'same-site' }
  const set = (await ask('POST', 'verify', { body, headers })).headers.get('set-cookie') ?? ''
  expect(set).toMatch(/^__Host-latchkey-siwx-/)
  expect(set).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  expect(set).not.toContain('Domain')
  // A cookie of the same name without the prefix, which any host of the site can write, is not
  // read.
  const tossed = (set.split(';')[0] ?? '').replace('__Host-', '')
  expect(await ask('GET', 'session', { headers: { cookie: tossed, ...headers } })).toMatchObject({
    status: 401,
  })
})

test('error: only pages sign in, and only as often as people do', async () => {
  for (const from of ['', 'null', 'app://shop'])
    expect(await ask('POST', 'nonce', { from })).toMatchObject({
      status: 400,
      body: reason('origin'),
    })
  const answers: number[] = []
  for (let at = 0; at < 61; at++) answers.push((await ask('POST', 'nonce')).status)
  expect(answers.filter((status) => status === 429)).toHaveLength(1)
  const message = 'x'.repeat(8_001)
  expect(await ask('POST', 'verify', { body: { message, signature: '' } })).toMatchObject({
    status: 422,
  })
})

test('behavior: answers are for the page that asked, and are not cached', async () => {
  const { headers } = await ask('POST', 'nonce')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('vary')).toBe('Origin')
  expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect(headers.get('access-control-allow-credentials')).toBeNull()
})

async function rpc(method: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chains.urls[evm], { method: 'POST', headers, body })
  expect(await response.json()).not.toHaveProperty('error')
}

test('default: older clients sign in on separate routes, with the same nonces and sessions', async () => {
  const { body } = await ask('GET', '/auth/v1/nonce')
  expect(body).toEqual({ nonce: expect.any(String), token: expect.any(String) })
  const proof = { 'x-nonce-jwt': `Bearer ${body.token}` }
  const signed = { ...(await sign(body.nonce)), data: {}, clientId: null, walletInfo: {} }
  const foreign = { 'x-nonce-jwt': `Bearer ${await getNonce()}` }
  for (const headers of [{}, foreign])
    expect(
      await ask('POST', '/auth/v1/authenticate', { body: signed, headers: { ...headers } }),
    ).toMatchObject({ status: 400, body: reason('x-nonce-jwt') })
  const elsewhere = { body: signed, headers: proof, from: 'https://evil.example' }
  expect(await ask('POST', '/auth/v1/authenticate', elsewhere)).toMatchObject({
    status: 400,
    body: reason('domain'),
  })
  const opened = await ask('POST', '/auth/v1/authenticate', { body: signed, headers: proof })
  expect(opened.status).toBe(200)
  const { token } = opened.body
  const claims = {
    address: alice.address,
    caip2Network: evm,
    chainNamespace: 'eip155',
    profileUuid: expect.any(String),
    iat: Math.floor(nowMs / 1000),
    exp: Math.floor(nowMs / 1000) + 7 * 24 * 3_600,
  }
  expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toEqual(claims)
  const headers = bearer(token)
  expect(await ask('GET', '/auth/v1/me', { headers })).toMatchObject({ status: 200, body: claims })
  expect(await ask('GET', 'session', { headers })).toMatchObject({ status: 200 })
  // Changed claims have no effect.
  const forged = token.replace(/\.[^.]+\./, `.${Buffer.from('{}').toString('base64url')}.`)
  expect(await ask('GET', '/auth/v1/me', { headers: bearer(forged) })).toMatchObject({
    body: claims,
  })
  expect(
    await ask('POST', '/auth/v1/authenticate', { body: signed, headers: proof }),
  ).toMatchObject({ status: 400, body: reason('nonce') })
  expect(await ask('POST', '/auth/v1/sign-out', { headers })).toMatchObject({ status: 200 })
  expect(await ask('GET', '/auth/v1/me', { headers })).toMatchObject({ status: 401 })
})

test.each([
  ['/auth/v1/otp', 'in the wallet itself'],
  ['/auth/v1/account-metadata', 'no profiles'],
])(
  'error: %s is not here, whatever it is asked with, and sends and keeps nothing',
  async (path, text) => {
    const { token } = await signIn()
    const sessions = () => opened.db.selectFrom('siwx_sessions').selectAll().execute()
    const before = await sessions()
    const answers = new Set<string>()
    for (const method of ['GET', 'POST', 'PUT'] as const)
      for (const body of [
        undefined,
        '{',
        JSON.stringify({ email: 'alice@shop.example', account: `${evm}:${alice.address}` }),
        JSON.stringify({ email: 'unknown@shop.example', code: '123456' }),
        'x'.repeat(20_000),
      ]) {
        const response = await app.request(`${path}?projectId=shop`, {
          method,
          headers: { origin, ...bearer(token), 'x-otp': '123456' },
          ...(method !== 'GET' && body !== undefined && { body }),
        })
        expect(response.status).toBe(404)
        expect(response.headers.get('access-control-allow-origin')).toBe(origin)
        expect(response.headers.get('cache-control')).toBe('no-store')
        answers.add(await response.text())
      }
    // The same response for all: it does not reveal which accounts exist.
    expect(answers.size).toBe(1)
    expect(JSON.parse([...answers][0] ?? '')).toEqual(reason('path', text))
    expect(await sessions()).toEqual(before)
  },
)

test('error: a code next to a sign-in proves no email address', async () => {
  const { body } = await ask('GET', '/auth/v1/nonce')
  const signed = { ...(await sign(body.nonce)), data: { email: 'alice@shop.example' } }
  const headers = { 'x-nonce-jwt': `Bearer ${body.token}`, 'x-otp': '123456' }
  const opened = await ask('POST', '/auth/v1/authenticate', { body: signed, headers })
  expect(opened.status).toBe(200)
  const me = await ask('GET', '/auth/v1/me', { headers: bearer(opened.body.token) })
  expect(JSON.stringify(me.body)).not.toContain('shop.example')
})
