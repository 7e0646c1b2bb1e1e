import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { settle } from '../../test/settle.ts'
import { LatchkeyError } from '../errors/errors.ts'
import type { Channel, Handlers, Limits } from './channel.ts'
import { listenChannel } from './listenChannel.ts'
import { openChannel } from './openChannel.ts'
import { serveChannel } from './serveChannel.ts'

const protocol = {
  requests: {
    add: { params: z.object({ a: z.number(), b: z.number() }), result: z.number() },
    echo: { params: z.string(), result: z.string() },
    fail: { params: z.null(), result: z.null() },
    wait: { params: z.null(), result: z.null() },
    lie: { params: z.null(), result: z.number() },
  },
  events: { tick: z.number() },
} as const

const app = 'https://app.example'
const frame = 'https://frame.example'

/**
 * A window from the view of another window: real ports, and messages that are delivered
 * asynchronously and only to their target origin.
 */
function createWindow(origin: string) {
  const target = new EventTarget()
  return Object.assign(target, { origin, closed: false })
}
type Fake = ReturnType<typeof createWindow>

const deliver = (to: Fake, from: unknown, origin: string, data: unknown, ports: unknown[] = []) =>
  to.dispatchEvent(Object.assign(new Event('message'), { source: from, origin, data, ports }))

/**
 * The reference to `to` that `from` has. The same object each time, so that sources can be
 * compared.
 */
function reference(to: Fake, from: () => unknown, fromOrigin: string, log: unknown[]) {
  return {
    get closed() {
      return to.closed
    },
    postMessage(data: string, targetOrigin: string, ports: Transferable[] = []) {
      log.push([targetOrigin, JSON.parse(data)])
      if (targetOrigin !== to.origin) return
      queueMicrotask(() => deliver(to, from(), fromOrigin, data, ports))
    },
  }
}

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

const handlers: Handlers<typeof protocol> = {
  add: ({ a, b }) => a + b,
  echo: (text) => text,
  fail: () => {
    throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method: 'x' } })
  },
  wait: () => new Promise(() => {}),
  lie: () => 'no number' as unknown as number,
}

function createPair() {
  const [page, child] = [createWindow(app), createWindow(frame)]
  const log: unknown[] = []
  const toChild: ReturnType<typeof reference> = reference(child, () => toPage, app, log)
  const toPage: ReturnType<typeof reference> = reference(page, () => toChild, frame, log)
  return { page, child, toChild, toPage, log }
}

type Pair = ReturnType<typeof createPair>

const open = ({ page, toChild }: Pair, more: object = {}) => {
  const opened = openChannel({
    window: page,
    target: toChild,
    targetOrigin: frame,
    protocol,
    timeoutMs: 5_000,
    ...more,
  })
  opened.then((channel) => cleanups.push(channel.close)).catch(() => {})
  return opened as Promise<Channel<typeof protocol>>
}

const listen = ({ child, toPage }: Pair, more: object = {}) => {
  const stop = listenChannel({
    window: child,
    peer: toPage,
    peerOrigin: app,
    allowedOrigin: () => true,
    protocol,
    onConnect: () => handlers,
    ...more,
  })
  cleanups.push(stop)
  return stop
}

async function connect(more: { limits?: Limits; onConnect?: unknown; onEvent?: unknown } = {}) {
  const pair = createPair()
  const opening = open(pair, more)
  const stop = listen(pair, more)
  return { pair, stop, channel: await opening }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: LatchkeyError) => error.code,
  )

test('default: requests, responses and events use a private port, with greetings to exact origins only', async () => {
  const ticks: unknown[] = []
  const { channel, pair } = await connect({
    onEvent: (_name: string, data: unknown) => ticks.push(data),
    onConnect: ({ emit, origin }: { emit(name: string, data: number): void; origin: string }) => {
      expect(origin).toBe(app)
      queueMicrotask(() => emit('tick', 7))
      return handlers
    },
  })
  expect(await channel.request('add', { a: 1, b: 2 })).toBe(3)
  expect(ticks).toEqual([7])
  expect(pair.log).toEqual([
    [app, { latchkey: 'ready' }],
    [frame, { latchkey: 'hello', id: expect.stringMatching(/^[0-9a-f]{32}$/) }],
  ])
})

test('behavior: a ready message from another source or origin is ignored', async () => {
  const pair = createPair()
  const opening = codeOf(open(pair, { timeoutMs: 50 }))
  const ready = '{"latchkey":"ready"}'
  deliver(pair.page, {}, frame, ready)
  deliver(pair.page, pair.toChild, 'https://evil.example', ready)
  deliver(pair.page, pair.toChild, 'null', ready)
  expect(await opening).toBe('TIMEOUT')
  expect(pair.log).toEqual([])
})

test('behavior: a hello of another source, another origin, without a port or in a wrong form is not served', async () => {
  const pair = createPair()
  let served = 0
  listen(pair, {
    onConnect: () => {
      served += 1
      return handlers
    },
  })
  const hello = JSON.stringify({ latchkey: 'hello', id: '0'.repeat(32) })
  const { port1, port2 } = new MessageChannel()
  cleanups.push(() => port1.close())
  deliver(pair.child, {}, app, hello, [port2])
  deliver(pair.child, pair.toPage, 'https://evil.example', hello, [port2])
  deliver(pair.child, pair.toPage, app, hello, [])
  deliver(pair.child, pair.toPage, app, JSON.parse(hello), [port2])
  for (const data of [
    '',
    '{',
    '{"latchkey":"hello","id":"1"}',
    `${hello}${' '.repeat(300)}`,
    null,
    5,
  ])
    deliver(pair.child, pair.toPage, app, data, [port2])
  expect(served).toBe(0)
  deliver(pair.child, pair.toPage, app, hello, [port2])
  deliver(pair.child, pair.toPage, app, hello, [port2])
  expect(served).toBe(1)
})

test('error: an origin that is not allowed, and an invalid origin', async () => {
  const pair = createPair()
  expect(() => listen(pair, { allowedOrigin: () => false })).toThrow(
    'This page is not allowed to use the window',
  )
  for (const peerOrigin of ['*', 'null', '', `${app}/`, 'data:,'])
    expect(() => listen(pair, { peerOrigin })).toThrow('is not an origin')
  expect(await codeOf(open(pair, { targetOrigin: '*' }))).toBe('INVALID_PARAMS')
  expect(pair.log).toEqual([])
})

/** A served channel whose requesting end the test controls. */
async function holdPort(limits?: Limits) {
  const pair = createPair()
  const calls: string[] = []
  const onConnect = () => ({
    ...handlers,
    echo: (text: string) => {
      calls.push(text)
      return text
    },
  })
  listen(pair, { onConnect, ...(limits && { limits }) })
  const { port1, port2 } = new MessageChannel()
  cleanups.push(() => port1.close())
  const heard: unknown[] = []
  port1.onmessage = ({ data }) => heard.push(JSON.parse(data))
  const hello = JSON.stringify({ latchkey: 'hello', id: 'a'.repeat(32) })
  deliver(pair.child, pair.toPage, app, hello, [port2])
  await settle()
  return { port: port1, heard, calls }
}

const request = (sequence: number, id: string, method = 'echo', params: unknown = 'x') =>
  JSON.stringify({ kind: 'request', sequence, id: id.repeat(32), method, params })

test('behavior: a replayed message and a replayed sequence are dropped', async () => {
  const { port, heard, calls } = await holdPort()
  port.postMessage(request(1, '1'))
  port.postMessage(request(1, '1'))
  port.postMessage(request(1, '2'))
  await settle()
  expect(calls).toEqual(['x'])
  expect(heard).toEqual([
    { kind: 'welcome', sequence: 1, id: 'a'.repeat(32) },
    { kind: 'result', sequence: 2, id: '1'.repeat(32), result: 'x' },
  ])
})

test('behavior: garbage and oversized messages are dropped, unknown methods refused', async () => {
  const { port, heard, calls } = await holdPort({ maxLength: 500, maxPending: 2 })
  const garbage: unknown[] = ['', '{', 'null', '[]', '{"kind":"request"}', { kind: 'bye' }, 5, null]
  for (const data of [...garbage, request(1, '1', 'echo', 'x'.repeat(500)), request(-1, '1')])
    port.postMessage(data)
  port.postMessage(request(1, '2', 'constructor'))
  port.postMessage(request(2, '3', '__proto__'))
  port.postMessage(request(3, '4', 'echo', 5))
  await settle()
  expect(calls).toEqual([])
  expect(heard.slice(1)).toMatchObject([
    { kind: 'error', code: 'METHOD_NOT_FOUND' },
    { kind: 'error', code: 'METHOD_NOT_FOUND' },
    { kind: 'error', code: 'INVALID_PARAMS' },
  ])
})

test('error: errors of the other side, and invalid responses', async () => {
  const { channel } = await connect()
  await expect(channel.request('fail', null)).rejects.toThrow(
    'The method x does not exist or is not available',
  )
  expect(await codeOf(channel.request('lie', null))).toBe('INTERNAL')
  expect(await codeOf(channel.request('echo', 5 as unknown as string))).toBe('INVALID_PARAMS')
  expect(await codeOf(channel.request('toString' as 'echo', ''))).toBe('METHOD_NOT_FOUND')
})

test('param: limits', async () => {
  const { channel } = await connect({ limits: { maxLength: 300, maxPending: 1 } })
  expect(await codeOf(channel.request('echo', 'x'.repeat(300)))).toBe('MESSAGE_TOO_LARGE')
  const first = codeOf(channel.request('wait', null))
  expect(await codeOf(channel.request('echo', ''))).toBe('CHANNEL_BUSY')
  channel.close()
  expect(await first).toBe('CHANNEL_CLOSED')
})

test('param: timeoutMs and signal end a request and cancel it on the other side', async () => {
  const cancelled: string[] = []
  const wait = (_: null, { signal }: { signal: AbortSignal }) =>
    new Promise<null>(() => signal.addEventListener('abort', () => cancelled.push('yes')))
  const { channel } = await connect({ onConnect: () => ({ ...handlers, wait }) })
  expect(await codeOf(channel.request('wait', null, { timeoutMs: 10 }))).toBe('TIMEOUT')
  const controller = new AbortController()
  const { signal } = controller
  const waiting = codeOf(channel.request('wait', null, { timeoutMs: null, signal }))
  controller.abort()
  expect(await waiting).toBe('ABORTED')
  expect(await codeOf(channel.request('echo', '', { signal }))).toBe('ABORTED')
  await expect.poll(() => cancelled).toEqual(['yes', 'yes'])
})

test('behavior: pending requests are rejected if either side closes', async () => {
  const { channel, stop } = await connect()
  const waiting = codeOf(channel.request('wait', null, { timeoutMs: null }))
  stop()
  expect(await waiting).toBe('CHANNEL_CLOSED')
  expect(await codeOf(channel.request('echo', ''))).toBe('CHANNEL_CLOSED')
  expect(channel.closed.aborted).toBe(true)
})

test('behavior: a window that closes or reloads closes the channel', async () => {
  const one = await connect()
  one.pair.child.closed = true
  await expect.poll(() => one.channel.closed.aborted).toBe(true)
  const two = await connect()
  deliver(two.pair.page, two.pair.toChild, frame, '{"latchkey":"ready"}')
  expect(two.channel.closed.aborted).toBe(true)
})

test('behavior: leaving a page notifies the other window, without an error in the page', async () => {
  let failed = false
  let isTold = false
  const wait = (_: null, { signal }: { signal: AbortSignal }) =>
    new Promise<null>(() =>
      signal.addEventListener('abort', () => {
        isTold = true
      }),
    )
  const { pair, channel } = await connect({ onConnect: () => ({ ...handlers, wait }) })
  channel.request('wait', null, { timeoutMs: null }).catch(() => {
    failed = true
  })
  pair.page.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }))
  await settle()
  expect(channel.closed.aborted).toBe(false)
  pair.page.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: false }))
  await Promise.resolve()
  expect([failed, channel.closed.aborted]).toEqual([false, false])
  await expect.poll(() => isTold).toBe(true)
})

test('param: signal ends the opening', async () => {
  const controller = new AbortController()
  const opening = codeOf(open(createPair(), { signal: controller.signal }))
  controller.abort()
  expect(await opening).toBe('ABORTED')
})

test('param: limits: so many invalid messages close the channel', async () => {
  const { port1, port2 } = new MessageChannel()
  const id = '0'.repeat(32)
  const limits = { maxLength: 1_000, maxPending: 4, maxInvalid: 3 }
  const onConnect = () => handlers
  const served = { port: port1, here: createWindow(frame), origin: app, protocol, onConnect }
  const port = serveChannel({ ...served, limits, id })
  cleanups.push(port.close, () => port2.close())
  const wrong = { kind: 'request', sequence: 1, id, method: 'add', params: { a: 'x' } }
  for (const message of ['no JSON', 'x'.repeat(2_000), JSON.stringify(wrong)]) {
    expect(port.closed.aborted).toBe(false)
    port2.postMessage(message)
    await settle()
  }
  expect(port.closed.aborted).toBe(true)
})
