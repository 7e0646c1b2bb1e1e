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

test('error: the node says no', async () => {
  const { node, waits } = await start((_, response) =>
    json(response, { id: 0, error: { code: 3, message: 'execution reverted' } }),
  )
  await expect(node('a')).rejects.toMatchObject({
    code: 'RPC_FAILED',
    message: 'execution reverted',
  })
  expect(waits).toEqual([])
})

test.each(['<html></html>', '', '[]', 'null', '{"id":7,"x":1}', '{"id":0}'])(
  'error: the answer %j makes no sense',
  async (answer) => {
    const { node } = await start((_, response) => json(response, answer))
    await expect(node('a')).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  },
)

test('error: nobody is there', async () => {
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
