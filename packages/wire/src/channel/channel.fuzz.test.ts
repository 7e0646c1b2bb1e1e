import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { settle } from '../../test/settle.ts'
import { jsonMaxDepth } from '../encoding/parseBoundedJson.ts'
import { LatchkeyError } from '../errors/errors.ts'
import type { Channel, Limits } from './channel.ts'
import { createClientChannel } from './createClientChannel.ts'
import { listenChannel } from './listenChannel.ts'
import { serveChannel } from './serveChannel.ts'

const protocol = {
  requests: {
    add: { params: z.object({ a: z.number(), b: z.number() }), result: z.number() },
    any: { params: z.optional(z.unknown()), result: z.optional(z.unknown()) },
    nest: { params: z.json(), result: z.json() },
    crash: { params: z.null(), result: z.null() },
    wait: { params: z.null(), result: z.null() },
  },
  events: { tick: z.number(), tree: z.json() },
} as const

const id = 'a'.repeat(32)
const origin = 'https://app.example'
const limits: Limits = { maxLength: 100_000, maxPending: 4 }
const cleanups: (() => void)[] = []
const complaints: unknown[] = []
const complain = (error: unknown) => complaints.push(error)

beforeAll(() => {
  process.on('unhandledRejection', complain)
  process.on('uncaughtException', complain)
})
afterAll(() => {
  process.off('unhandledRejection', complain)
  process.off('uncaughtException', complain)
})
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  expect(complaints.splice(0)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

/** A port whose other end the test controls; `heard` has all messages that it received. */
function holdFarEnd() {
  const { port1, port2 } = new MessageChannel()
  const heard: { kind: string; id?: string; code?: string; result?: unknown }[] = []
  port1.onmessage = ({ data }) => heard.push(JSON.parse(data))
  cleanups.push(() => port1.close())
  return { far: port1, near: port2, heard }
}

function holdServer() {
  const held = holdFarEnd()
  const calls: unknown[] = []
  const port = serveChannel({
    port: held.near,
    here: new EventTarget(),
    origin,
    protocol,
    limits,
    id,
    onConnect: () => ({
      add: (params) => {
        calls.push(params)
        return params.a + params.b
      },
      any: (params) => params,
      nest: (params) => params,
      crash: () => {
        throw Object.assign(new Error('x'), { name: 'LatchkeyError', code: 'toString' })
      },
      wait: () => new Promise<null>(() => {}),
    }),
  })
  cleanups.push(port.close)
  return { ...held, calls, port }
}

async function holdAsker() {
  const held = holdFarEnd()
  const events: unknown[] = []
  const welcomed = new Promise<Channel<typeof protocol>>((onWelcome) => {
    const onEvent = (_name: string, data: unknown) => events.push(data)
    const here = new EventTarget()
    createClientChannel({ port: held.near, here, protocol, onEvent, onWelcome, limits, id, origin })
  })
  held.far.postMessage(JSON.stringify({ kind: 'event', sequence: 1, name: 'tick', data: 1 }))
  held.far.postMessage(JSON.stringify({ kind: 'welcome', sequence: 2, id: 'b'.repeat(32) }))
  held.far.postMessage(JSON.stringify({ kind: 'event', sequence: 3, name: 'tick', data: 2 }))
  held.far.postMessage(JSON.stringify({ kind: 'welcome', sequence: 4, id }))
  const channel = await welcomed
  cleanups.push(channel.close)
  return { ...held, channel, events }
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const anyId = fc.oneof(
  fc.constantFrom(id, '', '__proto__', 'A'.repeat(32), '0'.repeat(33)),
  fc.integer({ min: 0, max: 9 }).map((digit) => String(digit).repeat(32)),
  fc.jsonValue(),
)
const anySequence = fc.oneof(
  fc.integer({ min: -2, max: 60 }),
  fc.constantFrom(1e308, 2 ** 53, 0.5, null, '1'),
)
const anyName = fc.constantFrom(
  ...['add', 'any', 'nest', 'crash', 'tick', 'tree', '__proto__', 'constructor', 'toString', ''],
)
const anyKind = fc.constantFrom(
  ...['welcome', 'request', 'result', 'error', 'event', 'cancel', 'other', '__proto__'],
)
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.record({ a: fc.integer(), b: fc.integer() }),
  fc.constant(
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  ),
)
const field: { requiredKeys: [] } = { requiredKeys: [] }
const frame = fc.record({ kind: anyKind, sequence: anySequence, id: anyId }, field).chain((head) =>
  fc
    .record(
      {
        method: anyName,
        name: anyName,
        params: anyValue,
        result: anyValue,
        data: anyValue,
        code: anyName,
      },
      field,
    )
    .map((rest) => JSON.stringify({ ...head, ...rest })),
)
const request = fc
  .record({ sequence: anySequence, id: anyId, method: anyName, params: anyValue })
  .map((parts) => JSON.stringify({ kind: 'request', ...parts }))
const polluted = frame.map((text) => text.replace('{', '{"__proto__":{"polluted":1},'))
const truncated = fc
  .tuple(frame, fc.nat({ max: 200 }))
  .map(([text, length]) => text.slice(0, length))
const anyFrame = fc.oneof(
  frame,
  request,
  polluted,
  truncated,
  fc.string(),
  fc.jsonValue(),
  fc.constant('x'.repeat(limits.maxLength + 1)),
  fc.constantFrom(
    ...['event', 'request', 'result', 'error'].map(
      (kind) =>
        `{"kind":"${kind}","sequence":9,"id":"${id}","name":"tree","method":"nest","data":${deep(40_000)}}`,
    ),
  ),
)

test('behavior: no sequence of frames crashes a server, and it still responds afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame, { maxLength: 20 }), async (frames) => {
      const { far, heard, calls, port } = holdServer()
      for (const one of frames) far.postMessage(one)
      await settle()
      const last = { kind: 'request', sequence: 2 ** 53 - 1, id: 'f'.repeat(32) }
      far.postMessage(JSON.stringify({ ...last, method: 'add', params: { a: 1, b: 2 } }))
      await expect
        .poll(() => heard.at(-1), { interval: 1 })
        .toMatchObject({ id: last.id, result: 3 })
      // The calls had valid parameters.
      for (const params of calls)
        expect(z.safeParse(protocol.requests.add.params, params).success).toBe(true)
      const kinds = new Set(heard.map(({ kind }) => kind))
      for (const kind of kinds) expect(['welcome', 'result', 'error']).toContain(kind)
      port.close()
    }),
    { numRuns: 100 },
  )
})

test('behavior: no sequence of frames crashes a client or resolves a request that it did not send', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame, { maxLength: 20 }), async (frames) => {
      const { far, heard, channel, events } = await holdAsker()
      expect(events).toEqual([])
      const asked = channel.request('add', { a: 1, b: 2 })
      for (const one of frames) far.postMessage(one)
      await expect.poll(() => heard.length, { interval: 1 }).toBe(1)
      const answer = { kind: 'result', sequence: 2 ** 53 - 1, id: heard[0]?.id, result: 3 }
      far.postMessage(JSON.stringify(answer))
      expect(await asked).toBe(3)
      channel.close()
    }),
    { numRuns: 100 },
  )
})

test('behavior: late, duplicate and foreign responses change nothing', async () => {
  const { far, heard, channel } = await holdAsker()
  let sequence = 10
  const say = (kind: string, more: object) => {
    sequence += 1
    far.postMessage(JSON.stringify({ kind, sequence, ...more }))
  }
  await expect(channel.request('add', { a: 1, b: 1 }, { timeoutMs: 5 })).rejects.toMatchObject({
    code: 'TIMEOUT',
  })
  await expect.poll(() => heard.map(({ kind }) => kind)).toEqual(['request', 'cancel'])
  say('result', { id: heard[0]?.id, result: 2 })
  const second = channel.request('add', { a: 2, b: 2 })
  await expect.poll(() => heard.length, { interval: 1 }).toBe(3)
  say('result', { id: 'c'.repeat(32), result: 9 })
  say('result', { id: heard[2]?.id, result: 4 })
  say('result', { id: heard[2]?.id, result: 5 })
  say('error', { id: heard[2]?.id, code: 'INTERNAL', data: {} })
  say('welcome', { id })
  expect(await second).toBe(4)
  await settle()
  expect(channel.closed.aborted).toBe(false)
})

test('error: a response in another form, and an unknown code', async () => {
  const { far, heard, channel } = await holdAsker()
  const answers = [
    { kind: 'result', result: '3' },
    { kind: 'error', code: 'constructor', data: {} },
  ]
  const codes: string[] = []
  for (const [index, answer] of answers.entries()) {
    const asked = channel.request('crash', null)
    await expect.poll(() => heard.length, { interval: 1 }).toBe(index + 1)
    const { id: asking } = heard[index] ?? {}
    far.postMessage(JSON.stringify({ ...answer, id: asking, sequence: index + 10 }))
    codes.push(await asked.then(String, (error: LatchkeyError) => error.code))
  }
  expect(codes).toEqual(['ANSWER_INVALID', 'INTERNAL'])
})

test('error: parameters that are no JSON', async () => {
  const { channel } = await holdAsker()
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  for (const params of [
    cycle,
    1n,
    {
      toJSON: () => {
        throw new Error('no')
      },
    },
    JSON.parse(deep(40_000)),
  ])
    await expect(channel.request('any', params)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
})

test('error: more than 64 levels are neither sent nor read, and the channel stays open', async () => {
  // The message itself takes one level.
  const most = jsonMaxDepth - 1
  const asker = await holdAsker()
  for (const depth of [most + 1, 200, 5_000, 40_000])
    await expect(asker.channel.request('any', JSON.parse(deep(depth)))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      data: { reason: 'more than 64 levels of lists and objects' },
    })
  void asker.channel.request('any', JSON.parse(deep(most))).catch(() => undefined)
  await expect.poll(() => JSON.stringify(asker.heard)).toContain(deep(most))
  const { far, heard } = holdServer()
  const ask = (sequence: number, depth: number) =>
    far.postMessage(
      `{"kind":"request","sequence":${sequence},"id":"${`${sequence}`.repeat(32)}","method":"any","params":${deep(depth)}}`,
    )
  ask(1, most + 1)
  ask(2, most)
  await expect
    .poll(() => heard.filter(({ kind }) => kind === 'result'), { interval: 1 })
    .toMatchObject([{ id: '2'.repeat(32) }])
})

test('error: parameters that use their parts so often that their JSON would be endless are not sent', async () => {
  const { channel } = await holdAsker()
  let params: unknown = []
  for (let level = 0; level < 50; level++) params = [params, params]
  await expect(channel.request('any', params)).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
})

test('error: an error that is larger than any message still gets a response', async () => {
  const { far, heard } = holdServer()
  const head = { kind: 'request', id: '1'.repeat(32), sequence: 1 }
  const empty = JSON.stringify({ ...head, method: '' }).length
  far.postMessage(JSON.stringify({ ...head, method: 'x'.repeat(limits.maxLength - empty) }))
  await expect
    .poll(() => heard.at(-1), { interval: 1 })
    .toMatchObject({ kind: 'error', code: 'MESSAGE_TOO_LARGE' })
})

test('error: a handler that throws an object that only looks like a LatchkeyError', async () => {
  const { far, heard } = holdServer()
  const ask = { kind: 'request', sequence: 1, id: '1'.repeat(32), method: 'crash', params: null }
  far.postMessage(JSON.stringify(ask))
  await expect
    .poll(() => heard.at(-1), { interval: 1 })
    .toMatchObject({ kind: 'error', code: 'INTERNAL' })
})

test('behavior: a port that closes in the middle ends every request', async () => {
  const asker = await holdAsker()
  const waiting = asker.channel.request('wait', null, { timeoutMs: null })
  asker.far.close()
  await expect(waiting).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' })
  const server = holdServer()
  const ask = { kind: 'request', sequence: 1, id: '1'.repeat(32), method: 'wait', params: null }
  server.far.postMessage(JSON.stringify(ask))
  server.far.close()
  await expect.poll(() => server.port.closed.aborted).toBe(true)
})

test('error: if the page refuses to connect, the port is closed and a second port is ignored', async () => {
  const here = new EventTarget()
  const peer = { closed: false, postMessage: () => {} }
  let count = 0
  const refuse = () => {
    count += 1
    throw new LatchkeyError('ORIGIN_NOT_ALLOWED')
  }
  const heard: string[] = []
  const errors: unknown[] = []
  const stop = listenChannel({
    window: {
      addEventListener: (name: string, listener: (event: Event) => void) =>
        here.addEventListener(name, (event) => {
          try {
            listener(event)
          } catch (error) {
            errors.push(error)
          }
        }),
      removeEventListener: () => {},
    } as unknown as EventTarget,
    peer,
    peerOrigin: origin,
    allowedOrigin: () => true,
    protocol,
    onConnect: refuse,
  })
  cleanups.push(stop)
  for (let turn = 0; turn < 2; turn += 1) {
    const { far, near } = holdFarEnd()
    far.onmessage = ({ data }) => heard.push(JSON.parse(data).kind)
    const data = JSON.stringify({ latchkey: 'hello', id })
    here.dispatchEvent(
      Object.assign(new Event('message'), { source: peer, origin, data, ports: [near] }),
    )
  }
  await settle()
  expect(heard).toEqual(['welcome', 'bye'])
  expect(count).toBe(1)
  expect(errors).toMatchObject([{ code: 'ORIGIN_NOT_ALLOWED' }])
})
