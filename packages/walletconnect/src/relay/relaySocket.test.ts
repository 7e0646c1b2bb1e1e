import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import {
  aWhile,
  codeOf,
  connectTo,
  ends,
  identity,
  sent,
  setUp,
  startMs,
  topic,
  until,
  useRelayClock,
} from '../../test/relayClient.ts'
import { agree, startScriptedRelay } from '../../test/scriptedRelay.ts'
import { curves } from '../crypto/curves.ts'
import { getClientId } from './relayAuth.ts'

useRelayClock()

// The wording of real relays; leeway 120 s.
const early = (iat: number, now: number) =>
  `JWT validation error: JWT Token is not yet valid: basic.iat: ${iat}, now + time_leeway: ${now + 120}, time_leeway: 120`
const late = (exp: number, now: number) =>
  `JWT validation error: JWT Token is expired: basic.exp: ${exp}, now - time_leeway: ${now - 120}, time_leeway: 120`

test('behavior: address and token', async () => {
  const server = await startScriptedRelay()
  ends.push(server.stop)
  const url = `${server.url}/v1?zone=eu&bundleId=app`
  const { relay } = connectTo(url, { projectId: 'local' })
  await relay.subscribe([topic])
  const { pathname, searchParams } = server.urls[0] as URL
  expect(pathname).toBe('/v1')
  expect([...searchParams].map(([key, value]) => (key === 'auth' ? key : [key, value]))).toEqual([
    'auth',
    ['bundleId', 'app'],
    ['projectId', 'local'],
    ['ua', 'wc-2/js-latchkey-1/web'],
    ['useOnCloseEvent', 'true'],
    ['zone', 'eu'],
  ])
  const [header, payload = '', signature = ''] = searchParams.get('auth')?.split('.') ?? []
  const signed = Buffer.from(`${header}.${payload}`)
  const bytes = Buffer.from(signature, 'base64url')
  expect(await curves.verify(identity.publicKey, bytes, signed)).toBe(true)
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
    iss: getClientId(identity.publicKey),
    aud: url,
    sub: expect.stringMatching(/^[0-9a-f]{64}$/),
    iat: startMs / 1000,
    exp: startMs / 1000 + 30,
  })
})

test('error: no WebSocket, or an invalid address', async () => {
  vi.stubGlobal('WebSocket', undefined)
  const { relay: without } = connectTo('ws://relay.test/?secret=x', {
    WebSocket: undefined as unknown as typeof WebSocket,
  })
  await expect(without.publish(sent)).rejects.toMatchInlineSnapshot(
    `[LatchkeyError: The relay relay.test cannot be reached. Check your network and try again]`,
  )
  expect(without.status().status).toBe('refused')
  expect(await codeOf(without.subscribe([topic]))).toBe('RELAY_UNREACHABLE')
  const { relay: wrong } = connectTo('http://relay.test')
  expect(await codeOf(wrong.publish(sent))).toBe('RELAY_UNREACHABLE')
  const { relay: empty } = connectTo('')
  expect(await codeOf(empty.publish(sent))).toBe('RELAY_UNREACHABLE')
})

test('error: no token in an error', async () => {
  const tokens: string[] = []
  const { relay } = connectTo('ws://127.0.0.1:9', {
    WebSocket: class {
      constructor(address: string) {
        tokens.push(new URL(address).searchParams.get('auth') ?? '')
        throw new SyntaxError(`cannot open ${address}`)
      }
    } as unknown as typeof WebSocket,
  })
  const error: unknown = await relay.publish(sent).catch((reason) => reason)
  const { inspect } = await import('node:util')
  expect(tokens).toEqual([expect.stringMatching(/^ey/)])
  expect(inspect(error, { depth: 9 })).not.toContain(tokens[0])
})

test('behavior: refused', async () => {
  const refusals = {
    'Unauthorized: origin not allowed': 'INVALID_APP_CONFIGURATION',
    'Unauthorized: invalid key': 'INVALID_PROJECT_ID',
    'JWT validation error: JWT Token is not yet valid': 'SESSION_EXPIRED',
    'JWT validation error: JWT Token is malformed': 'RELAY_REFUSED',
  }
  for (const [reason, code] of Object.entries(refusals)) {
    const { server, relay, statuses } = await setUp()
    server.on.connect = (socket) => socket.close(3000, reason)
    server.on.request = () => undefined
    expect(await codeOf(relay.publish(sent))).toBe(code)
    expect(await codeOf(relay.publish(sent))).toBe(code)
    await vi.advanceTimersByTimeAsync(600_000)
    await aWhile()
    expect(server.urls).toHaveLength(1)
    expect(statuses).toMatchObject([
      { status: 'connecting' },
      { status: 'refused', error: { code } },
    ])
    server.on.connect = () => {}
    server.on.request = agree
    relay.revive()
    await relay.publish(sent)
  }
})

test('behavior: learns the time of a relay that refuses a token for it', async () => {
  for (const offMs of [86_400_000 * 3, -86_400_000 * 3, -3_600_000, -160_000]) {
    let deviceMs = startMs + offMs
    const { server, relay, statuses } = await setUp({ now: () => deviceMs })
    const nowSeconds = startMs / 1000
    server.on.connect = (socket, url) => {
      const [, body = ''] = (url.searchParams.get('auth') ?? '').split('.')
      const { iat, exp } = JSON.parse(Buffer.from(body, 'base64url').toString())
      if (iat > nowSeconds + 120) socket.close(3000, early(iat, nowSeconds))
      else if (exp < nowSeconds - 120) socket.close(3000, late(exp, nowSeconds))
    }
    server.on.request = (heard) => (heard.socket === 0 ? undefined : agree(heard))
    await relay.publish(sent)
    expect(server.urls).toHaveLength(2)
    expect(relay.clockOffsetMs()).toBe(-offMs)
    expect(statuses.map(({ status }) => status)).toEqual(['connecting', 'connected'])
    deviceMs = startMs
    expect(relay.clockOffsetMs()).toBe(0)
    await vi.advanceTimersByTimeAsync(1000)
    expect(relay.clockOffsetMs()).toBe(1000)
  }
})

test('behavior: the relay refuses the time a second time', async () => {
  const { server, relay } = await setUp()
  server.on.request = () => undefined
  server.on.connect = (socket) => socket.close(3000, early(1, 1_500_000_000))
  expect(await codeOf(relay.publish(sent))).toBe('SESSION_EXPIRED')
  expect(server.urls).toHaveLength(2)
  server.on.connect = (socket) => {
    if (server.urls.length === 3) socket.close(3000, early(1, 1_500_000_000))
    else server.on.request = agree
  }
  relay.revive()
  await relay.publish(sent)
  expect(server.urls).toHaveLength(4)
})

test('behavior: a relay that does not report its time gets a token for a day', async () => {
  const { server, relay } = await setUp({ now: () => startMs - 3_600_000 })
  server.on.request = () => undefined
  const lifetimes: number[] = []
  server.on.connect = (socket, url) => {
    const [, body = ''] = (url.searchParams.get('auth') ?? '').split('.')
    const { iat, exp } = JSON.parse(Buffer.from(body, 'base64url').toString())
    lifetimes.push(exp - iat)
    if (exp < startMs / 1000) socket.close(3000, 'Token expired')
    else server.on.request = agree
  }
  await relay.publish(sent)
  expect(lifetimes).toEqual([30, 86_400])
  server.on.connect = (socket) => socket.close(3000, 'Token expired')
  server.on.request = () => undefined
  server.sockets[1]?.terminate()
  await until(() => relay.status().status === 'idle')
  expect(await codeOf(relay.subscribe([topic]))).toBe('RELAY_REFUSED')
  expect(server.urls).toHaveLength(3)
})

test('behavior: a device that slept with a wrong clock learns the time again', async () => {
  let passedMs = 0
  const { server, relay, statuses } = await setUp({
    now: () => startMs - 3_600_000 + performance.now() + passedMs,
  })
  server.on.connect = (socket, url) => {
    const [, body = ''] = (url.searchParams.get('auth') ?? '').split('.')
    const { exp } = JSON.parse(Buffer.from(body, 'base64url').toString())
    const nowSeconds = Math.floor((startMs + performance.now() + passedMs) / 1000)
    if (exp < nowSeconds - 120) socket.close(3000, late(exp, nowSeconds))
  }
  server.on.request = (heard) => (heard.socket === 0 ? undefined : agree(heard))
  await relay.subscribe([topic])
  await vi.advanceTimersByTimeAsync(10_000)
  passedMs = 7_200_000
  server.on.request = ({ socket, ...rest }) => (socket < 3 ? undefined : agree({ socket, ...rest }))
  relay.revive()
  await vi.advanceTimersByTimeAsync(3_000)
  await until(() => relay.status().status === 'connected' && server.urls.length === 4)
  expect(statuses.map(({ status }) => status)).not.toContain('refused')
})

test('behavior: topics outlast a refusal', async () => {
  const { server, relay } = await setUp()
  server.on.request = () => undefined
  server.on.connect = (socket) => socket.close(3000, 'Unauthorized: closed today')
  await expect(relay.subscribe([topic])).rejects.toThrow('refused: Unauthorized: closed today')
  server.on.connect = () => {}
  server.on.request = agree
  relay.revive()
  await until(() => relay.status().status === 'connected')
  expect(server.requests('irn_batchSubscribe').at(-1)?.params).toEqual({ topics: [topic] })
})

test('behavior: waits longer and longer, and not at all when revived', async () => {
  const { server, relay, statuses } = await setUp()
  server.on.connect = (socket) => socket.close(1013)
  const outcome = codeOf(relay.subscribe([topic]))
  const pauses = [100, 1_000, 2_000, 3_000, 4_000]
  for (const [at, pauseMs] of pauses.entries()) {
    await until(() => server.urls.length === at + 1 && statuses.at(-1)?.status === 'waiting')
    await vi.advanceTimersByTimeAsync(pauseMs * 0.74)
    expect(statuses.at(-1)?.status).toBe('waiting')
    await vi.advanceTimersByTimeAsync(pauseMs * 0.26 + 1)
  }
  await until(() => server.urls.length === 6 && statuses.at(-1)?.status === 'waiting')
  server.on.connect = () => {}
  relay.revive()
  expect(await outcome).toBe('resolved')
})

test('behavior: without a topic or a call, the client does not connect', async () => {
  const { server, relay } = await setUp()
  await relay.publish(sent)
  server.sockets[0]?.close(4008)
  await until(() => relay.status().status === 'idle')
  await vi.advanceTimersByTimeAsync(600_000)
  relay.revive()
  await aWhile()
  expect(server.urls).toHaveLength(1)
  await relay.publish(sent)
  expect(server.urls).toHaveLength(2)
})

test('behavior: connecting takes 15 s at most', async () => {
  const mute = createServer(() => {})
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  ends.push(() => mute.close())
  const { port } = mute.address() as { port: number }
  const { relay, statuses } = connectTo(`ws://127.0.0.1:${port}`)
  const outcome = codeOf(relay.publish(sent))
  await until(() => statuses.at(-1)?.status === 'connecting')
  await aWhile()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(statuses.map(({ status }) => status)).toEqual(['connecting', 'waiting'])
  await vi.advanceTimersByTimeAsync(45_000)
  expect(await outcome).toBe('RELAY_UNREACHABLE')
})

test.each([
  'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n',
  'HTTP/1.1 302 Found\r\nlocation: http://portal.test/\r\n',
  'HTTP/1.1 511 Network Authentication Required\r\n',
])('behavior: a page of the network in place of the relay is tried again: %j', async (head) => {
  let pages = 0
  const portal = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      pages += 1
      socket.end(`${head}connection: close\r\n\r\n<h1>Log in</h1>`)
    })
  })
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
  ends.push(() => portal.close())
  const { port } = portal.address() as { port: number }
  const { relay, statuses } = connectTo(`ws://127.0.0.1:${port}`)
  relay.subscribe([topic]).catch(() => {})
  await until(() => statuses.at(-1)?.status === 'waiting')
  await vi.advanceTimersByTimeAsync(1_000)
  await until(() => pages === 2)
  expect(statuses.some(({ status }) => status === 'refused')).toBe(false)
  expect(relay.topics).toContain(topic)
})

test('behavior: revived on a dead socket', async () => {
  const { server, relay } = await setUp()
  await relay.subscribe([topic])
  relay.revive()
  await until(() => server.requests('irn_batchSubscribe').length === 2)
  await aWhile()
  await vi.advanceTimersByTimeAsync(3_000)
  await aWhile()
  expect(server.urls).toHaveLength(1)
  server.on.request = (heard) => (heard.socket === 0 ? undefined : agree(heard))
  relay.revive()
  relay.revive()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(server.urls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  await until(() => relay.status().status === 'connected')
  expect(server.urls).toHaveLength(2)
  await aWhile()
  expect(server.heard.filter(({ socket }) => socket === 1)).toHaveLength(1)
})

test('behavior: a socket without pings or responses is closed', async () => {
  const { server, relay, statuses } = await setUp()
  await relay.subscribe([topic])
  await vi.advanceTimersByTimeAsync(30_000)
  server.sockets[0]?.ping()
  await aWhile()
  await vi.advanceTimersByTimeAsync(34_000)
  expect(relay.status().status).toBe('connected')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(relay.status()).toMatchObject({ status: 'waiting', error: { code: 'RELAY_UNREACHABLE' } })
  await vi.advanceTimersByTimeAsync(100)
  await until(() => relay.status().status === 'connected')

  server.on.request = (heard) => (heard.socket === 1 ? undefined : agree(heard))
  const published = relay.publish(sent)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(statuses.at(-1)?.status).toBe('waiting')
  await vi.advanceTimersByTimeAsync(100)
  await published
})
