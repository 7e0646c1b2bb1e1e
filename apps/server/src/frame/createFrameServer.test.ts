import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import * as wire from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthClient, signIn } from '../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../test/auth/startAuthServer.ts'
import { makeTestDir, startTestServer } from '../../test/startTestServer.ts'

let started: AuthServer
let dist: string
const script = 'document.title = "offline"'
beforeAll(async () => {
  dist = await makeTestDir()
  await mkdir(join(dist, 'assets'))
  const files = {
    'index.html':
      '<!doctype html><meta name="latchkey-frame" content=""><script type="module" src="/assets/a-1.js"></script>',
    'device.html': '<!doctype html>device',
    'recover.html': `<!doctype html><style>p{color:red}</style><script>${script}</script>`,
    'assets/a-1.js': 'export {}',
    'assets/a-1.css': 'p{}',
    '.built-from': 'secret',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(dist, name), content)
  started = await startAuthServer({ FRAME_DIST: dist })
  await started.server.services.db
    .insertInto('projects')
    .values([
      {
        id: 'shop',
        name: 'Shop',
        allowed_origins: ['https://shop.example', 'pay.example:8443', 'https://*.shop.example'],
      },
      { id: 'anywhere', name: 'Anywhere', allowed_origins: [] },
      {
        id: 'old',
        name: 'Old',
        allowed_origins: ['https://old.example', 'https://*.old.example'],
        otp_surface: 'host' as const,
      },
      {
        id: 'wild',
        name: 'Wild',
        allowed_origins: ['https://*.old.example'],
        otp_surface: 'host' as const,
      },
    ])
    .execute()
})
afterAll(async () => {
  await started?.stop()
  await rm(dist, { recursive: true, force: true })
})

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${started.server.frameUrl}${path}`, init)
const ancestors = async (path: string) =>
  /frame-ancestors ([^;]+)/.exec(
    (await get(path)).headers.get('content-security-policy') ?? '',
  )?.[1]

test('default: the frame, its headers, and scripts that may be cached forever', async () => {
  const page = await get('/f/shop')
  expect(page.status).toBe(200)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(page.headers.has('x-frame-options')).toBe(false)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(part)
  expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/(shop|pay)\.example)/)
  const permissions = page.headers.get('permissions-policy') ?? ''
  expect(permissions).toContain('camera=()')
  // Chromium on Linux does not have it, and reports it as an error on each page with the frame.
  expect(permissions).not.toContain('bluetooth')
  expect(permissions).toContain('publickey-credentials-get=(self)')
  const asset = await get('/assets/a-1.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('behavior: only the exact origins of a project may hold its frame', async () => {
  const { port } = new URL(started.server.url)
  expect(await ancestors('/f/shop')).toBe('https://shop.example https://pay.example:8443')
  expect(await ancestors('/f/local')).toBe(`http://127.0.0.1:${port} http://localhost:${port}`)
  expect(await ancestors('/f/anywhere')).toBe("'none'")
  expect(await ancestors('/f/unknown')).toBe("'none'")
  expect((await get('/f/a%20b')).status).toBe(404)
})

test('param: otp_surface host: /sdk is the frame, for the exact origins of such a project alone', async () => {
  const sdk = (projectId: string) => `/sdk?projectId=${projectId}&chainId=1&version=4`
  const page = await get(sdk('old'))
  expect(page.status).toBe(200)
  expect(await page.text()).toMatch(/&quot;otpSurface&quot;:&quot;host&quot;/)
  expect(await ancestors(sdk('old'))).toBe('https://old.example')
  expect(await (await get('/f/old')).text()).toMatch(/&quot;otpSurface&quot;:&quot;host&quot;/)
  for (const id of ['shop', 'wild', 'anywhere', 'local', 'nobody', '', '../f/old']) {
    expect((await get(sdk(id))).status).toBe(404)
    expect(await ancestors(sdk(id))).toBe("'none'")
  }
  expect((await get('/sdk')).status).toBe(404)
  expect(await (await get('/f/wild')).text()).toMatch(/&quot;otpSurface&quot;:&quot;frame&quot;/)
  const { db } = started.server.services
  const surface = (otp_surface: 'frame' | 'host') =>
    db.updateTable('projects').set({ otp_surface }).where('id', '=', 'old').execute()
  await surface('frame')
  await expect.poll(async () => (await get(sdk('old'))).status, { timeout: 10_000 }).toBe(404)
  await surface('host')
  await expect.poll(async () => (await get(sdk('old'))).status, { timeout: 10_000 }).toBe(200)
})

test('behavior: until there is a project any id is good on the own pages', async () => {
  const server = await startTestServer({ FRAME_DIST: dist })
  try {
    const page = await fetch(`${server.frameUrl}/f/anything`)
    const { port } = new URL(server.url)
    expect(page.headers.get('content-security-policy')).toContain(
      `frame-ancestors http://127.0.0.1:${port} http://localhost:${port};`,
    )
  } finally {
    await server.stop()
  }
})

test('behavior: pages that users open directly cannot be embedded; the offline page is allowed by its hash', async () => {
  const device = await get('/device')
  expect(device.headers.get('x-frame-options')).toBe('DENY')
  expect(device.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(await ancestors('/device')).toBe("'none'")
  const policy = (await get('/recover')).headers.get('content-security-policy')
  const hash = createHash('sha256').update(script).digest('base64')
  expect(policy).toContain(`'sha256-${hash}'`)
})

test('error: no build, no such path, hidden files and other names', async () => {
  const unbuilt = await get('/undo')
  expect(unbuilt.status).toBe(404)
  expect(await unbuilt.text()).toContain('The secure frame is not built yet')
  for (const path of [
    '/',
    '/.built-from',
    '/index.html',
    '/..%2f..%2fetc%2fpasswd',
    '/v1',
    '/%00.js',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  const as = (url: string, host: string) =>
    new Promise((resolve) => {
      const { port } = new URL(url)
      const options = { host: '127.0.0.1', port, path: '/f/shop', headers: { host } }
      request(options, (response) => resolve(response.resume().statusCode)).end()
    })
  const { frameUrl, url } = started.server
  expect(await as(frameUrl, new URL(url).host)).toBe(421)
  expect(await as(frameUrl, 'evil.example')).toBe(421)
  expect(await as(url, new URL(url).host)).toBe(404)
})

test('CSRF: no page of another origin changes anything, with any request', async () => {
  const { server, inbox } = started
  const client = await createAuthClient(server)
  await signIn(client, inbox, 'row47@example.com')
  const paths = Object.values(wire).flatMap((value: unknown) => {
    const { method, path } = (value ?? {}) as { method?: unknown; path?: unknown }
    return method === 'POST' && typeof path === 'string' && path.startsWith('/api/') ? [path] : []
  })
  expect(paths.length).toBeGreaterThanOrEqual(16)
  const own = { origin: server.frameUrl, 'content-type': 'application/json' }
  const foreign: readonly (readonly [number, RequestInit])[] = [
    [405, { method: 'GET' }],
    [405, { method: 'HEAD' }],
    [405, { method: 'PUT', headers: own, body: '{}' }],
    [405, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, origin: 'https://evil.example' } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, origin: 'null' } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, origin: server.url } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, origin: `${server.frameUrl}.evil` } }],
    [403, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, 'sec-fetch-site': 'cross-site' } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, 'sec-fetch-site': 'same-site' } }],
    [403, { method: 'POST', body: '{}', headers: { ...own, 'sec-fetch-site': 'none' } }],
    [415, { method: 'POST', body: '{}', headers: { ...own, 'content-type': 'text/plain' } }],
    [
      415,
      { method: 'POST', body: new URLSearchParams({ a: '{}' }), headers: { origin: own.origin } },
    ],
    [415, { method: 'POST', body: new FormData(), headers: { origin: own.origin } }],
  ]
  const before = await dump()
  for (const path of [...paths, '/rpc/eip155:31337'])
    for (const [status, init] of foreign) {
      const response = await get(path, init)
      expect([path, init, response.status]).toEqual([path, init, status])
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  expect(await dump()).toBe(before)
  expect((await client.ask('/api/me')).status).toBe(200)
})

test('CSRF: without a proof every route but the open ones refuses, with one it still parses', async () => {
  const client = await createAuthClient(started.server)
  for (const path of ['/api/login', '/api/login/verify', '/api/session/refresh', '/api/me'])
    expect([path, (await client.post(path, '{}', {})).code]).toEqual([path, 'PROOF_INVALID'])
  const { frameUrl } = started.server
  const big = await new Promise((resolve) => {
    const { port, host } = new URL(frameUrl)
    const headers = {
      host,
      origin: frameUrl,
      'content-type': 'application/json',
      'content-length': '300000',
    }
    const options = { host: '127.0.0.1', port, path: '/api/nonce', method: 'POST', headers }
    const asked = request(options, (response) => resolve(response.resume().statusCode))
    asked.on('error', () => {})
    asked.flushHeaders()
  })
  expect(big).toBe(413)
  expect((await client.post('/api/nonce', '{', {})).code).toBe('PARSE_ERROR')
  expect((await client.post('/api/nonce', '[]', {})).code).toBe('INVALID_PARAMS')
  expect((await client.call('/api/login', { email: 1 })).code).toBe('EMAIL_INVALID')
  expect((await client.call('/api/login/verify', { tx: 1, code: 'x' })).code).toBe('INVALID_PARAMS')
})

test('behavior: what the policy keeps out is reported, and nonsense is not', async () => {
  const policy = (await get('/f/shop')).headers.get('content-security-policy')
  expect(policy).toContain('report-uri /csp')
  const post = async (body: string) =>
    (
      await get('/csp', {
        method: 'POST',
        headers: { 'content-type': 'application/csp-report' },
        body,
      })
    ).status
  const said = {
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/a?b',
  }
  expect(await post(JSON.stringify({ 'csp-report': said }))).toBe(204)
  expect(await post('{')).toBe(400)
  expect(await post('[]')).toBe(400)
})

test('behavior: chain RPC is for the frame’s own scripts, by the configured networks', async () => {
  const client = await createAuthClient(started.server)
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  expect((await client.post('/rpc/eip155:1', call, {})).status).toBe(400)
})

/** Dumps everything that a login, a session or a change could have stored. */
async function dump(): Promise<string> {
  const { db } = started.server.services
  const rows = await Promise.all([
    db.selectFrom('users').selectAll().orderBy('id').execute(),
    db.selectFrom('sessions').selectAll().orderBy('id').execute(),
    db.selectFrom('logins').selectAll().orderBy('hash').execute(),
    db.selectFrom('codes').selectAll().orderBy('tx_hash').execute(),
    db.selectFrom('email_changes').selectAll().orderBy('hash').execute(),
    db.selectFrom('budgets').selectAll().orderBy('subject').execute(),
  ])
  return JSON.stringify(rows)
}
