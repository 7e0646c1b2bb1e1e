import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { activityEventsPath } from '@latchkey/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { metricsToken, readMetrics } from '../test/readMetrics.ts'
import { makeTestDir, startTestServer, type TestServer } from '../test/startTestServer.ts'

const chain = (name: string) => ({
  name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  upstreams: ['http://127.0.0.1:9'],
})
const getFacts = (name: string) => ({ name, nativeCurrency: chain(name).nativeCurrency })
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const event = {
  eventId: '1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11',
  props: { type: 'track', event: 'CONNECT' },
}

let server: TestServer
let limited: TestServer
let dir: string
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers })
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', body, headers })
const reasonOf = async (response: Response) => {
  const body = await response.json()
  expect(body).toEqual({
    status: 'FAILED',
    reasons: [{ field: expect.any(String), description: expect.any(String) }],
  })
  return body.reasons[0] as { field: string; description: string }
}

beforeAll(async () => {
  dir = await makeTestDir()
  const chainsFile = join(dir, 'chains.json')
  const blockExplorer = { name: 'Explorer', url: 'https://explorer.example/' }
  const chains = {
    'eip155:31338': { ...chain('Second'), testnet: true, blockExplorer },
    'eip155:31337': chain('First'),
  }
  await writeFile(chainsFile, JSON.stringify({ chains }))
  const env = { CHAINS_FILE: chainsFile, ANALYTICS: 'log', BODY_LIMIT: '2000' }
  const WEB_NETWORKS = 'polkadot:e143f23803ac50e8f6f8e62695d1ce9e,eip155:31337'
  const DEVELOPMENT_WALLET_URL = 'http://127.0.0.1:3002/'
  server = await startTestServer({
    ...env,
    DEVELOPMENT_WALLET_URL,
    WEB_NETWORKS,
    WEB_SIGN_IN: 'required',
    WEB_SIGN_IN_PER: 'network',
    WEB_SIGN_IN_KEEP: 'cookie',
  })
  const limits = { RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_SECOND: '1', TRUST_PROXY: '1' }
  const nowMs = Date.now()
  // Its clock does not move, so a stall of a second refills nothing.
  limited = await startTestServer({ CHAINS_FILE: chainsFile, ...limits }, { clock: () => nowMs })
})
afterAll(async () => {
  await server?.stop()
  await limited?.stop()
  await rm(dir, { recursive: true, force: true })
})

const on = { on: true, source: expect.any(String) }
const off = { on: false, source: expect.any(String) }

describe('answers', () => {
  test('behavior: signing in from another origin: the preflight, and answers for that page alone', async () => {
    const origin = 'http://localhost:5173'
    const path = '/v1/siwx/session?projectId=shop'
    const preflight = await fetch(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    const nonce = await post('/v1/siwx/nonce?projectId=shop', '', { origin })
    expect(await nonce.json()).toMatchObject({ nonce: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(nonce.headers.get('access-control-allow-origin')).toBe(origin)
    const me = await get(path, { origin, authorization: `Bearer ${'x'.repeat(43)}` })
    expect(me.status).toBe(401)
    expect((await reasonOf(me)).field).toBe('session')
    const foreign = await post('/v1/siwx/nonce?projectId=shop', '', {
      origin: 'https://evil.example',
    })
    expect(foreign.status).toBe(403)
  })

  test('behavior: older clients may send the proof of their nonce from another origin', async () => {
    const origin = 'http://localhost:5173'
    const { status, headers } = await fetch(`${server.url}/auth/v1/authenticate?projectId=shop`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-nonce-jwt,x-otp',
      },
    })
    expect(status).toBe(204)
    const allowed = headers.get('access-control-allow-headers')?.split(',')
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'x-nonce-jwt', 'x-otp']))
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  })

  test('default: alive, ready, and the networks in their order', async () => {
    expect((await get('/health')).status).toBe(200)
    expect((await get('/ready')).status).toBe(200)
    expect(await (await get('/v1/supported-chains')).json()).toEqual({
      http: ['eip155:31338', 'eip155:31337'],
      ws: ['eip155:31338', 'eip155:31337'],
      features: {
        'eip155:31338': expect.objectContaining({ activity: on, prices: off }),
        'eip155:31337': expect.objectContaining({ activity: on, prices: off }),
      },
    })
    expect(await (await get('/config.json')).json()).toEqual({
      projectId: 'local',
      // The app's networks without a node come after the networks of this server, each once.
      networks: ['eip155:31338', 'eip155:31337', 'polkadot:e143f23803ac50e8f6f8e62695d1ce9e'],
      networkFacts: {
        'eip155:31338': {
          ...getFacts('Second'),
          testnet: true,
          blockExplorer: { name: 'Explorer', url: 'https://explorer.example' },
        },
        'eip155:31337': getFacts('First'),
      },
      developmentWalletUrl: 'http://127.0.0.1:3002/',
      analytics: true,
      signIn: 'required',
      signInPer: 'network',
      signInKeep: 'cookie',
      frameUrl: server.frameUrl,
      emailLogin: false,
      passkeyAccounts: false,
      socials: [],
    })
  })

  test('behavior: every response has its own request id, CORS and security headers', async () => {
    const ids = new Set<string | null>()
    for (const response of [
      await get('/health'),
      await get('/v1/x'),
      await post('/e', '{'),
      await post('/health', ''),
    ]) {
      const id = response.headers.get('x-request-id')
      expect(id).toMatch(uuid4)
      ids.add(id)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-expose-headers')).toBe('retry-after,x-request-id')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect(ids.size).toBe(4)
  })

  test('behavior: a preflight allows the headers wallet clients send', async () => {
    const response = await fetch(`${server.url}/v1/?chainId=eip155:1`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('x-sdk-version')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('x-request-id')).toMatch(uuid4)
  })

  test('behavior: metrics name routes by template, never by path', async () => {
    await get('/v1/account/0xsecret/balance')
    await get('/some/secret/path')
    const text = await readMetrics(server.url)
    expect(text).toContain(
      'latchkey_http_request_duration_seconds_count{method="GET",route="/health",status="200"}',
    )
    expect(text).not.toContain('secret')
  })

  test('error: a plain GET where WebSockets are opened is 426', async () => {
    for (const path of ['/v1', '/v1/', '/ws', activityEventsPath]) {
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 426])
      expect(response.headers.get('upgrade')).toBe('websocket')
      expect((await reasonOf(response)).field).toBe('upgrade')
    }
  })

  test('error: what older clients ask for and is not here says so', async () => {
    for (const path of ['/v1/json-rpc', '/v1/wallet']) {
      const response = await post(`${path}?projectId=local`, '{}')
      expect([path, response.status]).toEqual([path, 404])
      expect((await reasonOf(response)).field).toBe('path')
    }
  })

  test('error: metrics are a path that does not exist to all but the operator', async () => {
    const ask = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      const response = await fetch(`${server.url}/metrics`, { headers })
      return { status: response.status, text: await response.text() }
    }
    const nothing = await get('/nothing')
    const unknown = { status: nothing.status, text: await nothing.text() }
    expect(unknown.status).toBe(404)
    for (const wrong of [undefined, '', 'Bearer', `Bearer ${metricsToken}x`, metricsToken])
      expect(await ask(wrong)).toEqual(unknown)
    expect((await ask(`Bearer ${metricsToken}`)).status).toBe(200)
  })

  test('behavior: a slash at the end of a path changes nothing', async () => {
    for (const path of ['/health', '/v1/supported-chains', '/getWallets'])
      expect(await (await get(`${path}/?projectId=local`)).text()).toEqual(
        await (await get(`${path}?projectId=local`)).text(),
      )
    expect((await post('/e/?projectId=local', JSON.stringify(event))).status).toBe(202)
    expect((await get('/v1/nothing/')).status).toBe(404)
    expect((await post('/health/', '')).status).toBe(405)
    const url = `${server.url.replace('http', 'ws')}${activityEventsPath}/?projectId=local`
    const socket = new WebSocket(`${url}&chainId=eip155:31337&address=0x${'ab'.repeat(20)}`)
    await once(socket, 'open')
    socket.close()
  })

  test('behavior: nothing is cached unless its route says so', async () => {
    const cacheOf = async (path: string) => (await get(path)).headers.get('cache-control')
    for (const path of ['/health', '/v1/nothing', '/v1/onramp/options?projectId=local'])
      expect([path, await cacheOf(path)]).toEqual([path, 'no-store'])
    for (const name of ['balance', 'portfolio', 'history', 'allowances']) {
      const path = `/v1/account/0x${'ab'.repeat(20)}/${name}?projectId=local&chainId=eip155:31337`
      expect([name, await cacheOf(path)]).toEqual([name, 'no-store'])
    }
    const prices = await post('/v1/fungible/price?projectId=local', '{"addresses":[]}')
    expect(prices.headers.get('cache-control')).toBe('no-store')
    expect(await cacheOf('/v1/supported-chains')).toBe('public, max-age=300, s-maxage=300')
    const preflight = await fetch(`${server.url}/v1?projectId=local`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-max-age')).toBe('7200')
  })

  test('behavior: the wallets and the networks have an ETag, and are sent once', async () => {
    for (const path of ['/getWallets?projectId=local', '/v1/supported-chains'])
      for (let asking = 0; asking < 3; asking++) {
        const first = await get(path)
        const etag = first.headers.get('etag') ?? ''
        expect(etag).toMatch(/^"[\w-]{22}"$/)
        const again = await get(path, { 'if-none-match': etag })
        expect([again.status, await again.text()]).toEqual([304, ''])
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
        expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
      }
  })

  test('error: unknown paths get 404, wrong methods 405 with Allow', async () => {
    expect((await get('/v1/nothing')).status).toBe(404)
    expect((await get('/%E0%A4%A')).status).toBe(404)
    const response = await post('/config.json', '')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect((await reasonOf(response)).field).toBe('method')
    expect((await get('/batch')).headers.get('allow')).toBe('POST')
  })
})

describe('bodies', () => {
  const path = '/e?projectId=local'

  test('behavior: JSON is parsed with any content type', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'image/png',
      'application/x-www-form-urlencoded',
    ])
      expect((await post(path, JSON.stringify(event), { 'content-type': type })).status).toBe(202)
  })

  test('behavior: the project id may stand in the body or in a header', async () => {
    expect((await post('/e', JSON.stringify({ ...event, projectId: 'x' }))).status).toBe(202)
    expect((await post('/e', JSON.stringify(event), { 'x-project-id': 'x' })).status).toBe(202)
    expect(await reasonOf(await post('/e', JSON.stringify(event)))).toEqual({
      field: 'projectId',
      description: 'projectId is missing',
    })
  })

  test('error: not JSON is 400, another shape 422 with the field at fault', async () => {
    for (const bad of ['', '{', 'undefined', '{"a":1}}']) {
      const response = await post(path, bad)
      expect(response.status).toBe(400)
      expect((await reasonOf(response)).description).toBe('The request body is not valid JSON')
    }
    const response = await post(
      path,
      JSON.stringify({ ...event, props: { type: 'other', event: 'x' } }),
    )
    expect(response.status).toBe(422)
    expect((await reasonOf(response)).field).toBe('props.type')
    for (const odd of ['null', '[]', '1', '"x"']) expect((await post(path, odd)).status).toBe(422)
  })

  test('error: an oversize body is 413, declared or streamed', async () => {
    const large = JSON.stringify({ ...event, pad: 'x'.repeat(3000) })
    const declared = await post(path, large)
    expect(declared.status).toBe(413)
    expect(await reasonOf(declared)).toEqual({
      field: 'body',
      description: 'The request body is larger than 2000 bytes',
    })
    const stream = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 100; index += 1)
          controller.enqueue(new TextEncoder().encode('x'.repeat(100)))
        controller.close()
      },
    })
    const streamed = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(413)
    expect((await get('/health')).status).toBe(200)
  })
})

describe('analytics', () => {
  test('default: off: events are accepted and not counted', async () => {
    expect(await (await fetch(`${limited.url}/getAnalyticsConfig`)).json()).toEqual({
      isAnalyticsEnabled: false,
    })
    for (const path of ['/e', '/batch']) {
      const url = `${limited.url}${path}?projectId=local`
      const answer = await fetch(url, { method: 'POST', body: '{}' })
      expect([answer.status, await answer.json()]).toEqual([202, {}])
    }
  })

  test('param: ANALYTICS=log counts', async () => {
    expect(await (await get('/getAnalyticsConfig')).json()).toEqual({ isAnalyticsEnabled: true })
    expect((await post('/batch?projectId=local', JSON.stringify([event, event]))).status).toBe(202)
    const connected = { type: 'track', event: 'CONNECT_SUCCESS', properties: { method: 'qrcode' } }
    const own = [{ ...event, props: connected }]
    expect((await post('/batch?projectId=local', JSON.stringify(own))).status).toBe(202)
    const metrics = await readMetrics(server.url)
    expect(metrics).toMatch(/latchkey_analytics_events_total\{event="\w+",method=""\} \d/)
    expect(metrics).toContain(
      'latchkey_analytics_events_total{event="CONNECT_SUCCESS",method="qrcode"} 1',
    )
  })
})

describe('limits', () => {
  const ask = (path: string, forwarded: string) =>
    fetch(`${limited.url}${path}`, { headers: { 'x-forwarded-for': forwarded } })

  test('default: one client on one route; other clients and routes still work', async () => {
    for (let index = 0; index < 3; index += 1)
      expect((await ask('/config.json', '203.0.113.1')).status).toBe(200)
    // The client's own claim is to the left of the address that our proxy saw.
    const refused = await ask('/config.json', '198.51.100.7, 203.0.113.1')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('x-request-id')).toMatch(uuid4)
    expect((await reasonOf(refused)).field).toBe('rate_limited')
    expect((await ask('/config.json', '203.0.113.2')).status).toBe(200)
    expect((await ask('/v1/supported-chains', '203.0.113.1')).status).toBe(200)
  })

  test('behavior: unknown paths count as one, also for sockets', async () => {
    const statuses: number[] = []
    for (let index = 0; index < 4; index += 1)
      statuses.push((await ask(`/nothing/${index}`, '203.0.113.4')).status)
    expect(statuses).toEqual([404, 404, 404, 429])
    const headers = { 'x-forwarded-for': '203.0.113.4' }
    const upgrades: (number | undefined)[] = []
    for (let index = 0; index < 4; index += 1) {
      const socket = new WebSocket(`${limited.url}/nothing/${index}`, { headers })
      socket.on('error', () => {})
      const [, response] = await once(socket, 'unexpected-response')
      upgrades.push(response.statusCode)
    }
    expect(upgrades).toEqual([404, 404, 404, 429])
  })

  test('error: each call of a batch counts', async () => {
    const batch = (calls: number) =>
      fetch(`${limited.url}/v1?projectId=local&chainId=eip155:31337`, {
        method: 'POST',
        headers: { 'x-forwarded-for': '203.0.113.5' },
        body: JSON.stringify(Array(calls).fill({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })),
      })
    expect((await batch(1)).status).toBe(200)
    // The bucket can become negative.
    expect((await batch(100)).status).toBe(200)
    const refused = await batch(1)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(90)
  })

  test('behavior: health is never limited', async () => {
    for (let index = 0; index < 10; index += 1)
      expect((await ask('/health', '203.0.113.3')).status).toBe(200)
  })
})

describe('web', () => {
  const page = { accept: 'text/html' }

  test('behavior: before the build a page explains how to build', async () => {
    const response = await get('/', page)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build')
  })

  test('behavior: files, their caching, the page for navigations only, and a strict policy', async () => {
    const { webDist } = server.services.config
    const long = 'export const a = 1\n'.repeat(1_000)
    const files = {
      'index.html': '<!doctype html>app',
      'assets/app-1a2b.js': 'plain',
      'assets/long-3c4d.js': long,
      'favicon.svg': '<svg/>',
      'sw.js': 'worker',
    }
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(webDist, name)), { recursive: true })
      await writeFile(join(webDist, name), content)
    }
    const root = await get('/', page)
    expect(await root.text()).toBe('<!doctype html>app')
    expect(root.headers.get('cache-control')).toBe('no-cache')
    expect(root.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self' http://127.0.0.1:3002; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' ${server.url.replace('http', 'ws')}; frame-src http://127.0.0.1:3002 ${server.frameUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'`,
    )
    expect(await (await get('/account/tokens', page)).text()).toBe('<!doctype html>app')
    const { publicUrl } = server.services.config
    const byName = new URL('/swap?from=eth', publicUrl.replace('127.0.0.1', 'localhost'))
    const moved = await fetch(byName, { headers: page, redirect: 'manual' })
    expect([moved.status, moved.headers.get('location')]).toEqual([
      302,
      `${publicUrl}/swap?from=eth`,
    ])
    const script = await get('/assets/app-1a2b.js', { 'accept-encoding': 'identity' })
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await script.text()).toBe('plain')
    for (const encoding of ['br', 'gzip', 'identity;q=0.1, gzip;q=0']) {
      const packed = await get('/assets/long-3c4d.js', { 'accept-encoding': encoding })
      const used = encoding.length > 4 ? null : encoding
      expect(packed.headers.get('content-encoding')).toBe(used)
      expect(packed.headers.get('vary')).toContain('accept-encoding')
      expect(await packed.text()).toBe(long)
    }
    await writeFile(join(webDist, 'assets/long-3c4d.js'), long.toUpperCase())
    const again = await get('/assets/long-3c4d.js', { 'accept-encoding': 'br' })
    expect(await again.text()).toBe(long.toUpperCase())
    const worker = await get('/sw.js')
    expect(worker.headers.get('cache-control')).toBe('no-cache')
    expect(worker.headers.get('content-security-policy')).toBe(
      "default-src 'none'; connect-src 'self'",
    )
    const etag = root.headers.get('etag') ?? ''
    expect((await get('/', { ...page, 'if-none-match': etag })).status).toBe(304)
    // A browser must not take the page for a script that is gone, nor for an API path.
    for (const path of ['/assets/gone.js', '/v1/nothing', '/getNothing', '/.env'])
      expect((await get(path, page)).status).toBe(404)
    expect((await get('/account', { accept: '*/*' })).status).toBe(404)
    // A payment link ends in a name, which has dots.
    const payments = ['/pay/alice.latchkey.id?amount=25', '/pay/a.js', '/pay/b%C3%BCcher.eth']
    for (const path of payments)
      expect(await (await get(path, page)).text()).toBe('<!doctype html>app')
    for (const path of ['/pay/a.js', '/pay/alice.latchkey.id'])
      expect((await get(path, { accept: '*/*' })).status).toBe(404)
    expect((await get('/payments/alice.eth', page)).status).toBe(404)
  })

  test('error: paths do not leave the directory', async () => {
    await writeFile(join(server.services.config.webDist, '../secret.txt'), 'secret')
    for (const path of [
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/pay/..%2f..%2fsecret.txt',
      '/%00.txt',
    ])
      expect((await get(path)).status).toBe(404)
  })
})

test('error: ready names what does not answer, health stays good', async () => {
  const lame = await startTestServer()
  const { db } = lame.services
  await db.destroy()
  const response = await fetch(`${lame.url}/ready`)
  expect(response.status).toBe(503)
  expect(await reasonOf(response)).toEqual({ field: 'db', description: 'db does not answer' })
  expect((await fetch(`${lame.url}/health`)).status).toBe(200)
  const failed = await fetch(`${lame.url}/v1?projectId=x`, { method: 'POST', body: '{}' })
  expect(failed.status).toBe(500)
  expect(await reasonOf(failed)).toEqual({ field: 'server', description: 'Something went wrong' })
  expect(failed.headers.get('x-request-id')).toMatch(uuid4)
  await lame.stop().catch(() => {})
})

test('behavior: without its Redis the server is not ready, yet answers', async () => {
  const alone = await startTestServer({ REDIS_URL: 'redis://127.0.0.1:9' })
  const response = await fetch(`${alone.url}/ready`)
  expect(response.status).toBe(503)
  expect((await reasonOf(response)).field).toBe('kv')
  expect((await fetch(`${alone.url}/config.json`)).status).toBe(200)
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const asked = await fetch(`${alone.url}/v1?projectId=x&chainId=eip155:5`, {
    method: 'POST',
    body,
  })
  expect((await reasonOf(asked)).field).toBe('chainId')
  await alone.stop()
})
