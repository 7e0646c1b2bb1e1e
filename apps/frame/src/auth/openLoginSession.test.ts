import { type LoginTokens, refreshSessionRoute, startLoginRoute } from '@latchkey/wire'
import { beforeEach, expect, test, vi } from 'vitest'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { openDeviceKey } from './deviceKey.ts'
import { createDpopFetch } from './dpopFetch.ts'
import { createLoginSession } from './loginSession.ts'
import { openLoginSession } from './openLoginSession.ts'

const tokens: LoginTokens = {
  accessToken: 'a'.repeat(43),
  refreshToken: 'r'.repeat(43),
  expiresInSeconds: 0,
  userId: crypto.randomUUID(),
  deviceId: crypto.randomUUID(),
  email: 'ann@people.example',
  stepUpSeconds: 0,
}
const other = { ...tokens, accessToken: 'b'.repeat(43), refreshToken: 's'.repeat(43) }
const signedOut = { status: 'FAILED', code: 'SIGNED_OUT', data: {}, reasons: [] }

/** The keys that calls were proved with, by their x; `answer` is what they get. */
function serve(answer: (path: string) => unknown = () => signedOut) {
  const keys: unknown[] = []
  const fetch = async (path: string, { headers }: { headers: Record<string, string> }) => {
    const { dpop } = headers
    if (dpop === undefined) return Response.json({ nonce: 'n'.repeat(22) })
    keys.push(JSON.parse(Buffer.from(dpop.split('.')[0] ?? '', 'base64url').toString()).jwk.x)
    const body = answer(path)
    return Response.json(body, { status: body === signedOut ? 401 : 200 })
  }
  return { keys, fetch: fetch as unknown as typeof globalThis.fetch }
}

beforeEach(() => {
  // The oldest supported Node has no `navigator`.
  vi.stubGlobal('navigator', {})
})

const begin = { email: 'ann@people.example', projectId: 'local', origin: 'https://app.example' }

test('behavior: after a browser was forgotten, calls are proved with the key it keeps from then on', async () => {
  const server = serve()
  vi.stubGlobal('fetch', server.fetch)
  const { store, session } = await openLoginSession()
  const call = () => session.call(startLoginRoute, begin, { as: 'proof' }).catch(() => {})
  await call()
  await call()
  await store.clear()
  await call()
  const [first, second, third] = server.keys
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect((await openDeviceKey(store)).jwk.x).toBe(third)
})

const tab = (store = createMemoryStore(), fetch = serve().fetch) =>
  createLoginSession({
    store,
    send: createDpopFetch(() => openDeviceKey(store), fetch),
    now: Date.now,
  })

test('behavior: another tab proves itself with the new key too', async () => {
  const store = createMemoryStore()
  const server = serve()
  const [one, two] = [tab(store, server.fetch), tab(store, server.fetch)]
  const call = (session: typeof one) =>
    session.call(startLoginRoute, begin, { as: 'proof' }).catch(() => {})
  await call(two)
  await store.clear()
  await call(one)
  await call(two)
  expect(server.keys[2]).toBe(server.keys[1])
  expect(server.keys[1]).not.toBe(server.keys[0])
})

test('behavior: a refused refresh ends only the session it was for', async () => {
  const store = createMemoryStore()
  const session = tab(
    store,
    serve((path) => {
      // Another tab signs in meanwhile.
      if (path === refreshSessionRoute.path) void tab(store).saveTokens(other)
      return signedOut
    }).fetch,
  )
  const told = vi.fn()
  session.subscribe(told)
  await session.saveTokens(tokens)
  told.mockClear()
  await session.callPath('/api/any', {}).catch(() => {})
  expect((await session.read())?.accessToken).toBe(other.accessToken)
  expect(told).not.toHaveBeenCalled()
})

const portal = '<h1>Log in to this Wi-Fi</h1>'
const ofType = (type: string, status = 200) =>
  new Response(portal, { status, headers: { 'content-type': type } })

test.each([
  ['a page', () => ofType('text/html'), 'OFFLINE'],
  ['text', () => ofType('text/plain'), 'OFFLINE'],
  ['no type', () => new Response(new TextEncoder().encode(portal)), 'OFFLINE'],
  ['HTTP 401', () => ofType('text/html', 401), 'OFFLINE'],
  ['HTTP 511', () => ofType('text/html', 511), 'OFFLINE'],
  ['HTTP 502', () => ofType('text/html', 502), 'HTTP_FAILED'],
  ['JSON of a portal', () => Response.json({ captive: true }), 'ANSWER_INVALID'],
  ['a refusal of a portal', () => Response.json({ code: 401 }, { status: 401 }), 'HTTP_FAILED'],
])('behavior: %s in place of the server ends no login', async (_, answer, code) => {
  const store = createMemoryStore()
  let isPortal = true
  const fresh = { ...other, expiresInSeconds: 600 }
  const own = serve((path) => (path === refreshSessionRoute.path ? fresh : {}))
  const fetch = (...parameters: Parameters<typeof globalThis.fetch>) =>
    isPortal ? Promise.resolve(answer()) : own.fetch(...parameters)
  const session = tab(store, fetch)
  const told = vi.fn()
  await session.saveTokens(tokens)
  session.subscribe(told)
  await expect(session.callPath('/api/any', {})).rejects.toMatchObject({ code })
  expect((await session.read())?.accessToken).toBe(tokens.accessToken)
  expect(told).not.toHaveBeenCalled()
  isPortal = false
  expect(await session.callPath('/api/any', {})).toEqual({})
})

test.each([64, 40_000])('behavior: an answer of %i levels is not parsed', async (levels) => {
  const nested = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const headers = { 'content-type': 'application/json' }
  const own = serve()
  const fetch = (...parameters: Parameters<typeof globalThis.fetch>) =>
    parameters[0] === '/api/any'
      ? Promise.resolve(new Response(nested, { headers }))
      : own.fetch(...parameters)
  const session = tab(createMemoryStore(), fetch)
  await session.saveTokens({ ...other, expiresInSeconds: 600 })
  await expect(session.callPath('/api/any', {})).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
})

test('behavior: a refresh does not replace the session that came meanwhile, and brings none back', async () => {
  const store = createMemoryStore()
  const meanwhile = [() => tab(store).saveTokens(other), () => tab(store).end({})]
  for (const happen of meanwhile) {
    const session = tab(
      store,
      serve((path) => {
        if (path !== refreshSessionRoute.path) return {}
        void happen()
        return { ...tokens, accessToken: 'c'.repeat(43) }
      }).fetch,
    )
    await session.saveTokens(tokens)
    await session.callPath('/api/any', {}).catch(() => {})
    expect((await session.read())?.accessToken).toBe(
      happen === meanwhile[0] ? other.accessToken : undefined,
    )
  }
})

test('behavior: calls that still run are aborted when the session is ended', async () => {
  const aborted: string[] = []
  let noteBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    noteBegun = resolve
  })
  const fetch = async (path: string, { headers, signal }: RequestInit) => {
    if (!new Headers(headers).has('dpop')) return Response.json({ nonce: 'n'.repeat(22) })
    if (path !== '/api/slow') return Response.json({})
    noteBegun()
    return new Promise<Response>((_, reject) =>
      signal?.addEventListener('abort', () => {
        aborted.push(path)
        reject(signal.reason)
      }),
    )
  }
  const session = tab(createMemoryStore(), fetch as unknown as typeof globalThis.fetch)
  await session.saveTokens({ ...tokens, expiresInSeconds: 600 })
  const slow = session.callPath('/api/slow', {}).catch((error: unknown) => error)
  await begun
  await session.end({})
  expect(await slow).toMatchObject({ code: 'ABORTED' })
  expect(aborted).toEqual(['/api/slow'])
})

test('error: a refused refresh ends the session', async () => {
  const session = tab()
  await session.saveTokens(tokens)
  await expect(session.callPath('/api/any', {})).rejects.toMatchObject({ code: 'SIGNED_OUT' })
  expect(await session.read()).toBeUndefined()
})
