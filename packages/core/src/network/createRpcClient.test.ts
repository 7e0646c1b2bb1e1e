import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Call, json, startServer, type TestServer } from '../../test/server.ts'
import { retryAfterMs } from '../server/retryAfter.ts'
import { createRpcClient } from './createRpcClient.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function start(answer: (call: Call, response: ServerResponse) => void) {
  server = await startServer(answer)
  return open(server.url)
}

function open(url: string) {
  const waits: number[] = []
  const controller = new AbortController()
  const node = createRpcClient({
    url,
    chain: 'Latchkey One',
    fetch: globalThis.fetch,
    now: () => 0,
    sleep: async (ms) => void waits.push(ms),
    signal: controller.signal,
  })
  return { node, waits, controller }
}

type Body = { id: number; method: string }
const echo = ({ body }: Call, response: ServerResponse) => {
  const answer = ({ id, method }: Body) => ({ jsonrpc: '2.0', id, result: method })
  json(response, Array.isArray(body) ? body.map(answer).reverse() : answer(body as Body))
}

test('default', async () => {
  const { node } = await start(echo)
  expect(await node('eth_chainId')).toBe('eth_chainId')
  expect(server?.calls[0]?.body).toEqual({
    jsonrpc: '2.0',
    id: 0,
    method: 'eth_chainId',
    params: [],
  })
})

test('behavior: requests of one moment travel as one batch, answers in any order', async () => {
  const { node } = await start(echo)
  expect(await Promise.all([node('a'), node('b'), node('c')])).toEqual(['a', 'b', 'c'])
  expect(server?.calls.length).toBe(1)
})

test.each([403, 408, 413, 429, 500, 502, 503, 504])(
  'behavior: HTTP %i is tried again after 150, 300 and 600 ms',
  async (status) => {
    const { node, waits } = await start((_, response) => json(response, {}, { status }))
    await expect(node('a')).rejects.toMatchObject({
      code: status === 429 ? 'RATE_LIMITED' : 'HTTP_FAILED',
    })
    expect(waits).toEqual([150, 300, 600])
    expect(server?.calls.length).toBe(4)
  },
)

test.each([401, 404, 405, 422])('behavior: HTTP %i is not tried again', async (status) => {
  const { node, waits } = await start((_, response) => json(response, {}, { status }))
  await expect(node('a')).rejects.toThrow(`HTTP status code: ${status}`)
  expect(waits).toEqual([])
})

test.each([-1, -32005, -32603, 429])('behavior: RPC code %i is tried again', async (code) => {
  let asked = 0
  const { node } = await start((call, response) => {
    asked += 1
    if (asked < 3) json(response, { id: 0, error: { code, message: 'later' } })
    else echo(call, response)
  })
  expect(await node('a')).toBe('a')
})

test('behavior: of a batch only what failed is sent again', async () => {
  let asked = 0
  const { node } = await start((call, response) => {
    asked += 1
    if (asked > 1) return echo(call, response)
    json(response, [
      { id: 0, result: 'a' },
      { id: 1, error: { code: -32005, message: 'limit' } },
    ])
  })
  expect(await Promise.all([node('a'), node('b')])).toEqual(['a', 'b'])
  expect(server?.calls[1]?.body).toMatchObject({ method: 'b' })
})

/**
 * A node that accepts batches of at most `max` calls and refuses larger batches by calling
 * `refuse`; `sizes` are the sizes of all batches.
 */
async function startLimited(
  max: number,
  refuse: (response: ServerResponse, bodies: readonly Body[]) => void,
) {
  const sizes: number[] = []
  const opened = await start((call, response) => {
    const bodies = [call.body].flat() as Body[]
    sizes.push(bodies.length)
    if (bodies.length <= max) return echo(call, response)
    refuse(response, bodies)
  })
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => opened.node(`m${index}`)))
  const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`)
  return { ...opened, sizes, ask, names }
}

const whole = (code: number, message: string) => (response: ServerResponse) =>
  json(response, { jsonrpc: '2.0', id: null, error: { code, message } })

test.each<[string, Parameters<typeof startLimited>[1]]>([
  ['an error without an id', whole(-32600, 'Batch of more than 3 requests are not allowed')],
  ['an error without an id or words', whole(-32600, 'Invalid Request')],
  ['a retried code', whole(-32005, 'Batch size limit exceeded')],
  ['an error in a list', (response) => json(response, [{ id: null, error: { code: -32600 } }])],
  [
    'an error for the first call alone',
    (response, [first]) =>
      json(response, [{ id: first?.id, error: { code: -32600, message: 'batch too large' } }]),
  ],
  [
    'an error for each call beyond the limit',
    (response, bodies) =>
      json(
        response,
        bodies.map(({ id, method }, index) =>
          index < 3
            ? { id, result: method }
            : { id, error: { code: -32005, message: 'max batch size is 3' } },
        ),
      ),
  ],
  [
    'answers to the first calls alone',
    (response, bodies) =>
      json(
        response,
        bodies.slice(0, 3).map(({ id, method }) => ({ id, result: method })),
      ),
  ],
  ['an empty list', (response) => json(response, [])],
  ['a text', (response) => json(response, 'batch requests are limited to 3')],
  ['HTTP 400 and a text', (response) => json(response, 'Bad Request', { status: 400 })],
  ['HTTP 413', (response) => json(response, '<html></html>', { status: 413 })],
  [
    'HTTP 403 and words',
    (response) =>
      json(response, { error: 'at most 3 calls in a batch are allowed' }, { status: 403 }),
  ],
  [
    'HTTP 429 and words',
    (response) =>
      json(response, { id: null, error: { code: 1, message: 'batch too large' } }, { status: 429 }),
  ],
])(
  'behavior: a batch that is refused by %s is sent again in smaller batches',
  async (_, refuse) => {
    const { ask, names, sizes, waits } = await startLimited(3, refuse)
    expect(await ask(8)).toEqual(names(8))
    expect(Math.max(...sizes.slice(1))).toBeLessThan(8)
    expect(waits).toEqual([])
  },
)

test('behavior: the limit of a node is remembered', async () => {
  const refuse = whole(-32600, 'Batch of more than 3 requests are not allowed')
  const { ask, names, sizes } = await startLimited(3, refuse)
  await ask(8)
  expect(sizes).toEqual([8, 3, 3, 2])
  expect(await ask(7)).toEqual(names(7))
  expect(sizes.slice(4).sort()).toEqual([1, 3, 3])
})

test('behavior: a node that accepts no batches gets one call at a time', async () => {
  const { ask, names, sizes } = await startLimited(1, whole(-32600, 'Batching is not supported'))
  expect(await ask(4)).toEqual(names(4))
  expect(await ask(3)).toEqual(names(3))
  expect(sizes.filter((size) => size > 1)).toEqual([4, 2])
})

test('behavior: calls of a batch that the node cannot read fail alone, and the next batch is whole', async () => {
  const sizes: number[] = []
  const { node } = await start((call, response) => {
    const bodies = [call.body].flat() as Body[]
    sizes.push(bodies.length)
    if (bodies.some(({ method }) => method === 'bad'))
      json(response, { id: null, error: { code: -32700, message: 'Parse error' } })
    else echo(call, response)
  })
  const [bad, good] = await Promise.allSettled([node('bad'), node('good')])
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'Parse error' } })
  expect(good).toEqual({ status: 'fulfilled', value: 'good' })
  await Promise.all([node('a'), node('b')])
  expect(sizes).toEqual([2, 1, 1, 2])
})

test('error: a node that refuses every batch and every call', async () => {
  const { ask, sizes } = await startLimited(0, whole(-32600, 'Invalid Request'))
  await expect(ask(8)).rejects.toMatchObject({ code: 'RPC_FAILED', message: 'Invalid Request' })
  await expect.poll(() => sizes.filter((size) => size === 1).length).toBe(8)
  expect(sizes.length).toBeLessThan(16)
})

test('behavior: Retry-After is honoured', async () => {
  let asked = 0
  const { node, waits } = await start((call, response) => {
    asked += 1
    if (asked === 1) json(response, {}, { status: 429, headers: { 'retry-after': '2' } })
    else if (asked === 2)
      json(response, {}, { status: 503, headers: { 'retry-after': new Date(5000).toUTCString() } })
    else echo(call, response)
  })
  expect(await node('a')).toBe('a')
  expect(waits).toEqual([2000, 5000])
})

test('behavior: a Retry-After of more than 30 s is not waited for', async () => {
  const { node, waits } = await start((_, response) =>
    json(response, {}, { status: 429, headers: { 'retry-after': '31' } }),
  )
  await expect(node('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', data: { seconds: 31 } })
  expect(waits).toEqual([])
})

test('behavior: Retry-After is read as seconds or a date', () => {
  expect(retryAfterMs(null, 0)).toBeUndefined()
  expect(retryAfterMs('soon', 0)).toBeUndefined()
  expect(retryAfterMs('0', 0)).toBe(0)
  expect(retryAfterMs(new Date(1000).toUTCString(), 5000)).toBe(0)
})

test('error: the node returns an error', async () => {
  const { node, waits } = await start((_, response) =>
    json(response, { id: 0, error: { code: 3, message: 'execution reverted' } }),
  )
  await expect(node('a')).rejects.toMatchObject({
    code: 'RPC_FAILED',
    message: 'execution reverted',
  })
  expect(waits).toEqual([])
})

test('error: the reason of a server that does not have the network, without another try', async () => {
  const description =
    "We don't support the chainId you provided: eip155:1. See /v1/supported-chains"
  const { node, waits } = await start((_, response) =>
    json(
      response,
      { status: 'FAILED', reasons: [{ field: 'chainId', description }] },
      { status: 400 },
    ),
  )
  const results = await Promise.allSettled([node('a'), node('b')])
  for (const result of results)
    expect(result).toMatchObject({ reason: { code: 'RPC_FAILED', message: description } })
  expect(waits).toEqual([])
  expect(server?.calls.length).toBe(1)
})

test.each(['<html></html>', '', '[]', 'null', '{"id":7,"x":1}', '{"id":0}'])(
  'error: the answer %j makes no sense',
  async (answer) => {
    const { node } = await start((_, response) => json(response, answer))
    await expect(node('a')).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  },
)

test.each([200, 511])(
  'error: a page of the network in place of the node, HTTP %i, is tried again',
  async (status) => {
    let pages = 2
    const { node, waits } = await start((call, response) => {
      if (pages-- <= 0) return echo(call, response)
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Log in</h1>')
    })
    expect(await node('a')).toBe('a')
    expect(waits.length).toBe(2)
    pages = 100
    await expect(node('a')).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  },
)

test('error: the node is unreachable', async () => {
  server = await startServer(() => {})
  const { url } = server
  await server.stop()
  const { node } = open(url)
  await expect(node('a')).rejects.toMatchObject({
    code: 'RPC_UNAVAILABLE',
    message: 'Unavailable Latchkey One RPC url',
  })
})

test('error: a node that hangs', async () => {
  server = await startServer(() => {})
  const node = createRpcClient({
    url: server.url,
    chain: 'Latchkey One',
    fetch: globalThis.fetch,
    now: () => 0,
    sleep: () => Promise.resolve(),
    signal: new AbortController().signal,
    timeoutMs: 30,
  })
  await expect(node('a')).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('error: called off', async () => {
  const { node, controller } = await start(() => {})
  const asked = node('a')
  setTimeout(() => controller.abort(), 20)
  await expect(asked).rejects.toMatchObject({ code: 'ABORTED' })
})
