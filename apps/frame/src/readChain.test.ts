import { expect, test } from 'vitest'
import { evmChain } from '../test/testRequest.ts'
import { createReadChain } from './readChain.ts'

type RpcRequest = { id: number; method: string; params: unknown }

/**
 * A server that answers each call with its method, unless `answer` says otherwise, and what it was
 * asked.
 */
function open(answer?: (body: RpcRequest | RpcRequest[]) => unknown) {
  const bodies: { path: string; body: RpcRequest | RpcRequest[] }[] = []
  const reply = ({ id, method }: RpcRequest) => ({ jsonrpc: '2.0', id, result: method })
  const read = createReadChain(async (path, init) => {
    const body = JSON.parse(String(init?.body))
    bodies.push({ path: String(path), body })
    const found = answer?.(body) ?? (Array.isArray(body) ? body.map(reply).reverse() : reply(body))
    return new Response(JSON.stringify(found))
  })
  return { bodies, read: read.bind(undefined, evmChain) }
}

test('default: calls of one moment are one request, and each gets its own answer', async () => {
  const { read, bodies } = open()
  expect(await Promise.all([read('eth_chainId', []), read('eth_gasPrice', undefined)])).toEqual([
    'eth_chainId',
    'eth_gasPrice',
  ])
  expect(bodies).toEqual([
    {
      path: '/rpc/eip155:1',
      body: [
        { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'eth_gasPrice', params: [] },
      ],
    },
  ])
  expect(await read('eth_chainId', [])).toBe('eth_chainId')
  expect(bodies[1]?.body).toMatchObject({ id: 1, method: 'eth_chainId' })
})

test('behavior: calls to a bundler are sent alone, and many calls are split into several requests', async () => {
  const { read, bodies } = open()
  await Promise.all([read('eth_chainId', []), read('pm_getPaymasterData', [])])
  expect(bodies.map(({ path }) => path).toSorted()).toEqual([
    '/rpc/eip155:1',
    '/rpc/eip155:1/bundler',
  ])
  const many = Array.from({ length: 60 }, (_, at) => read(`eth_${at}`, []))
  expect(await Promise.all(many)).toEqual(many.map((_, at) => `eth_${at}`))
  expect(bodies.slice(2).map(({ body }) => (body as RpcRequest[]).length)).toEqual([50, 10])
})

test.each([200, 403, 511])(
  'error: a page of the network in place of the server, HTTP %i',
  async (status) => {
    const headers = { 'content-type': 'text/html' }
    const read = createReadChain(async () => new Response('<h1>Log in</h1>', { status, headers }))
    const calls = [read(evmChain, 'eth_chainId', []), read(evmChain, 'eth_gasPrice', [])]
    for (const each of calls) await expect(each).rejects.toMatchObject({ code: 'OFFLINE' })
  },
)

test.each([64, 40_000])('error: an answer of %i levels is not parsed', async (levels) => {
  const nested = `{"id":1,"result":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const read = createReadChain(
    async () => new Response(nested, { headers: { 'content-type': 'application/json' } }),
  )
  await expect(read(evmChain, 'eth_call', [])).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
})

test('error: a failed or aborted call does not fail the other calls', async () => {
  const { read } = open((body) =>
    [body]
      .flat()
      .map(({ id, method }) =>
        method === 'eth_call'
          ? { id, error: { code: 3, message: 'execution reverted' } }
          : method === 'eth_getCode'
            ? { id: 99, result: '0x' }
            : { id, result: '0x1' },
      ),
  )
  const abort = new AbortController()
  const all = Promise.allSettled([
    read('eth_chainId', []),
    read('eth_call', []),
    read('eth_getCode', []),
    read('eth_gasPrice', [], abort.signal),
  ])
  abort.abort()
  expect(await all).toMatchObject([
    { value: '0x1' },
    { reason: { code: 'RPC_FAILED', data: { reason: 'execution reverted', code: 3 } } },
    { reason: { code: 'ANSWER_INVALID' } },
    { reason: { code: 'ABORTED' } },
  ])
})

test('behavior: contracts are read in separate batches, and transactions are sent alone', async () => {
  const big = 'x'.repeat(5_000_000)
  const { read, bodies } = open((body) =>
    [body].flat().map(({ id, params }) => {
      const [call] = params as { to?: string }[]
      return { id, result: call?.to === '0xbb' ? big : '0x1' }
    }),
  )
  const token = (to: string) => read('eth_call', [{ to, data: '0x' }, 'latest'])
  const all = [token('0xAA'), token('0xbb'), token('0xaa'), token('0xbb')]
  const sent = read('eth_sendRawTransaction', ['0x'])
  expect(await Promise.allSettled([...all, sent])).toMatchObject([
    { value: '0x1' },
    { reason: { code: 'ANSWER_INVALID' } },
    { value: '0x1' },
    { reason: { code: 'ANSWER_INVALID' } },
    { value: '0x1' },
  ])
  const first = bodies.map(({ body }) => [body].flat().length)
  expect(first.slice(0, 3).toSorted()).toEqual([1, 2, 2])
})

test('behavior: if a node does not support batches, each call is sent alone', async () => {
  const refused = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no batches' } }
  for (const answer of [refused, [], 'nothing']) {
    const { read, bodies } = open((body) => (Array.isArray(body) ? answer : undefined))
    const both = [read('eth_chainId', []), read('eth_gasPrice', [])]
    expect(await Promise.all(both)).toEqual(['eth_chainId', 'eth_gasPrice'])
    expect(bodies).toHaveLength(3)
  }
})

test.each([
  [{ jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'slower' } }, 'RPC_FAILED'],
  ['nothing', 'ANSWER_INVALID'],
])('error: an answer to all calls at once: %o', async (answer, code) => {
  const { read } = open(() => answer)
  const both = await Promise.allSettled([read('eth_chainId', []), read('eth_gasPrice', [])])
  expect(both).toMatchObject([{ reason: { code } }, { reason: { code } }])
})
