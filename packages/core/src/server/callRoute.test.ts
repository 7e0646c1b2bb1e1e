import { accountBalanceRoute } from '@latchkey/wire'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { openApp } from '../../test/tab.ts'
import { latchkeyOne } from '../networks.ts'
import { callRoute } from './callRoute.ts'
import { networkImageUrl, tokenImageUrl, walletImageUrl } from './imageUrl.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function start(answer: unknown, parameters: Parameters<typeof json>[2] = {}) {
  server = await startServer((_, response) => json(response, answer, parameters))
  return openApp({ fetch: globalThis.fetch, now: () => 0 }, { apiUrl: server.url })
}

const ask = (app: ReturnType<typeof openApp>) =>
  callRoute(app, {
    route: accountBalanceRoute,
    params: { address: 'a/b' },
    query: { chainId: undefined },
  })

test('default', async () => {
  const app = await start({ balances: [] })
  expect(await ask(app)).toEqual({ balances: [] })
  expect(server?.calls).toEqual([
    {
      method: 'GET',
      url: '/v1/account/a%2Fb/balance?projectId=local&st=latchkey&sv=react-0.0.0',
      body: undefined,
    },
  ])
})

test.each([
  [401, '', 'INVALID_PROJECT_ID'],
  [403, '', 'INVALID_APP_CONFIGURATION'],
  [400, 'Unauthorized: invalid key', 'INVALID_PROJECT_ID'],
  [400, 'Unauthorized: origin not allowed', 'INVALID_APP_CONFIGURATION'],
  [401, 'JWT validation error: JWT Token is not yet valid', 'SESSION_EXPIRED'],
])('error: HTTP %i %j is the alert %s', async (status, text, code) => {
  const app = await start(text, { status })
  await expect(ask(app)).rejects.toMatchObject({ code })
  expect(app.store.getState().alert?.code).toBe(code)
})

test('error: too many requests', async () => {
  const app = await start({}, { status: 429, headers: { 'retry-after': '7' } })
  await expect(ask(app)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Too many requests. Try again in 7 s',
  })
})

test('error: other statuses', async () => {
  const app = await start({}, { status: 500 })
  await expect(ask(app)).rejects.toThrow('HTTP status code: 500')
})

test.each([
  ['a page', '<html>'],
  ['nothing', ''],
  ['an object without the field', '{}'],
  ['a field of another type', '{"balances":{}}'],
  ['100 levels', `{"balances":[],"more":${'['.repeat(100)}${']'.repeat(100)}}`],
  ['5,000,000 characters', `{"balances":[]}${' '.repeat(5_000_000)}`],
])('error: a response with %s is invalid', async (_, answer) => {
  const app = await start(answer)
  await expect(ask(app)).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
})

test.each([200, 401, 403, 511])(
  'error: a page of the network in place of the server, HTTP %i',
  async (status) => {
    const headers = { 'content-type': 'text/html' }
    const app = await start('<h1>Log in to this Wi-Fi</h1>', { status, headers })
    await expect(ask(app)).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(app.store.getState().alert).toBeUndefined()
  },
)

test('error: a redirect to a page of the network', async () => {
  server = await startServer(({ url }, response) => {
    if (url.startsWith('/v1')) response.writeHead(302, { location: '/login' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>')
  })
  const app = openApp({ fetch: globalThis.fetch, now: () => 0 }, { apiUrl: server.url })
  await expect(ask(app)).rejects.toMatchObject({ code: 'OFFLINE' })
})

test('error: no answer within 20 s', async () => {
  const late = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  onTestFinished(() => timeout.mockRestore())
  server = await startServer(() => late.abort())
  const app = openApp({ fetch: globalThis.fetch, now: () => 0 }, { apiUrl: server.url })
  await expect(ask(app)).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect(timeout).toHaveBeenCalledWith(20_000)
})

const unreachable =
  "No Latchkey server answers at http://127.0.0.1:1 (`apiUrl`). Start the server or correct the URL, and allow it in `connect-src` of this page's content security policy"

test('error: the server is unreachable, which is one warning', async () => {
  const app = openApp()
  for (const _ of [1, 2]) await expect(ask(app)).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(app.warnings).toEqual([unreachable])
})

test.each([
  ['a page', 200, 'text/html'],
  ['a page of an unknown route', 404, 'text/html'],
  ['plain text', 404, 'text/plain'],
])('error: another server that answers with %s is one warning', async (_, status, type) => {
  server = await startServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end('Cannot GET')
  })
  const { url } = server
  const app = openApp({ fetch: globalThis.fetch, now: () => 0 }, { apiUrl: url })
  for (const _ of [1, 2]) await expect(ask(app)).rejects.toThrow()
  expect(app.warnings).toEqual([unreachable.replace('http://127.0.0.1:1', url)])
})

test('behavior: an aborted request, a browser that is offline and production are no warning', async () => {
  const app = openApp()
  onTestFinished(() => void vi.unstubAllGlobals())
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubGlobal('navigator', { onLine: false })
  await expect(ask(app)).rejects.toMatchObject({ code: 'OFFLINE' })
  vi.unstubAllGlobals()
  vi.stubEnv('NODE_ENV', 'production')
  await expect(ask(app)).rejects.toMatchObject({ code: 'OFFLINE' })
  vi.unstubAllEnvs()
  app.destroy()
  await expect(ask(app)).rejects.toMatchObject({ code: 'ABORTED' })
  expect(app.warnings).toEqual([])
})

test('behavior: images', () => {
  const app = openApp({}, { apiUrl: 'https://w.example' })
  const query = '?projectId=local&st=latchkey&sv=react-0.0.0'
  expect(walletImageUrl(app, 'a b')).toBe(`https://w.example/getWalletImage/a%20b${query}`)
  expect(networkImageUrl(app, latchkeyOne)).toBe(
    `https://w.example/public/getAssetImage/eip155-31337${query}`,
  )
  expect(tokenImageUrl(app, 'ETH')).toBe(`https://w.example/public/getTokenImage/ETH${query}`)
})
