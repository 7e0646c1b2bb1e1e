import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import type { UpstreamLimits } from '../nodes/upstream.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { rpcRoutes } from './routes.ts'

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
})

type Handler = Parameters<typeof startUpstream>[0]
async function start(handlers: Handler[], limits: Partial<UpstreamLimits> = {}) {
  const nodes = await Promise.all(handlers.map((handler) => startUpstream(handler)))
  running.push(...nodes)
  const now = { ms: 0 }
  const services = makeServices(
    { 'eip155:5': chainWith(nodes.map(({ url }) => url)) },
    () => now.ms,
  )
  const upstreams = createUpstreams(services, { timeoutMs: 120_000, ...limits })
  const app = rpcRoutes(services, upstreams)
  const post = async (body: unknown, query = '?chainId=eip155:5&projectId=local') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await app.request(`/v1${query}`, { method: 'POST', body: text })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return { nodes, now, post, services, upstreams }
}

const call = (method: string, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params: [] })
const good = honest(5, { eth_blockNumber: '0x10' })
const block = '{"jsonrpc":"2.0","id":1,"result":"0x10"}'

test('default: one call is passed on', async () => {
  const { post } = await start([good])
  expect(await post(call('eth_blockNumber'))).toMatchObject({ status: 200, text: block })
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('default: an answer in %s is unpacked', async (encoding, pack) => {
  const packing: Handler = (response, calls, request) => {
    expect(request.headers['accept-encoding']).toContain(encoding)
    const answer = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":"0x5"}`
    const text = calls.map(({ id }) => answer(id)).join()
    response.writeHead(200, { 'content-encoding': encoding }).end(pack(text))
  }
  const { post } = await start([packing])
  expect(JSON.parse((await post(call('eth_blockNumber'))).text)).toMatchObject({ result: '0x5' })
})

test('default: chain id, network id and listening are answered here', async () => {
  const { nodes, post } = await start([good])
  const { text } = await post([call('eth_chainId'), call('net_version'), call('net_listening')])
  expect(JSON.parse(text).map(({ result }: { result: unknown }) => result)).toEqual([
    '0x5',
    '5',
    true,
  ])
  expect(nodes[0]?.bodies).toEqual([])
})

test('behavior: ids come back letter by letter, answers in the order of the calls', async () => {
  const { post } = await start([good])
  const body =
    '[{"jsonrpc":"2.0","id":18446744073709551615,"method":"eth_blockNumber"},' +
    '{"jsonrpc":"2.0","id":"a\\u0022","method":"eth_gasPrice","params":[18446744073709551614]},' +
    '{"jsonrpc":"2.0","id":1.50,"method":"admin_peers"},7]'
  expect((await post(body)).text).toMatchInlineSnapshot(
    `"[{"jsonrpc":"2.0","id":18446744073709551615,"result":"0x10"},{"jsonrpc":"2.0","id":"a\\u0022","result":{"method":"eth_gasPrice","params":[18446744073709552000]}},{"jsonrpc":"2.0","id":1.50,"error":{"code":-32601,"message":"The method admin_peers does not exist or is not available"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The request is not valid"}}]"`,
  )
})

test.each([
  'debug_traceTransaction',
  'trace_block',
  'admin_peers',
  'personal_sign',
  'miner_start',
  'anvil_setBalance',
  'evm_mine',
  'hardhat_reset',
  'eth_sign',
  'eth_sendTransaction',
  'eth_accounts',
  'txpool_content',
  // Each leaves state at the node, and its id is useless at another node of the chain.
  'eth_newFilter',
  'eth_newBlockFilter',
  'eth_newPendingTransactionFilter',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_uninstallFilter',
  'eth_subscribe',
  'toString',
])('error: %s is refused', async (method) => {
  const { nodes, post } = await start([good])
  const { status, text } = await post(call(method))
  expect(status).toBe(200)
  expect(JSON.parse(text).error).toEqual({
    code: -32601,
    message: `The method ${method} does not exist or is not available`,
  })
  expect(nodes[0]?.bodies).toEqual([])
})

test('error: a method named twice is no way around the list', async () => {
  const { nodes, post } = await start([good])
  for (const second of ['"method"', '"m\\u0065thod"']) {
    const body = `{"jsonrpc":"2.0","id":1,${second}:"anvil_reset","method":"eth_blockNumber"}`
    expect(JSON.parse((await post(body)).text).error.code).toBe(-32600)
  }
  expect(nodes[0]?.bodies).toEqual([])
})

test.each([
  ['{"jsonrpc":', -32700],
  ['', -32700],
  ['[]', -32600],
  ['null', -32600],
  ['{"jsonrpc":"2.0","method":"eth_blockNumber"}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"eth_blockNumber"}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"eth_call","params":"x"}', -32600],
  [JSON.stringify(Array(101).fill(call('eth_blockNumber'))), -32600],
])('error: %.40s', async (body, code) => {
  const { post } = await start([good])
  const { status, text } = await post(body)
  expect(status).toBe(400)
  expect(JSON.parse(text).error.code).toBe(code)
})

test.each(['?chainId=eip155:6', '?chainId=__proto__', '?chainId=x', ''])(
  'error: unknown chain %s',
  async (query) => {
    const { post } = await start([good])
    const { status, text } = await post(call('eth_blockNumber'), query)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ status: 'FAILED', reasons: [{ field: 'chainId' }] })
  },
)

const html: Handler = (response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Login</title>')
}
const endless: Handler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, 0x20)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
const encoded =
  (encoding: string, body: Buffer | string): Handler =>
  (response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
const bad: [string, Handler][] = [
  ['unpacks to too much', encoded('gzip', bomb)],
  ['is not packed as it says', encoded('gzip', '{}')],
  ['is packed in an unknown way', encoded('zip', '{}')],
  ['ends too early', (response) => response.writeHead(200, { 'content-length': 99 }).end('{}')],
  ['hangs', () => {}],
  ['resets', (response) => response.destroy()],
  ['answers HTML', html],
  ['answers without end', endless],
  ['redirects', (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
  ['says 500', (response) => response.writeHead(500).end('{}')],
  ['says 429', (response) => response.writeHead(429).end('{}')],
  ['lies about its chain', honest(6, { eth_blockNumber: '0xbad' })],
  ['has no quota left', honest(5, { eth_blockNumber: new Error('daily request limit reached') })],
  ['lags behind', honest(5, { eth_blockNumber: new Error('header not found') })],
  ['answers another id', (response) => response.end('{"jsonrpc":"2.0","id":9,"result":"0x5"}')],
]

test.each(bad)('behavior: an upstream that %s is passed over', async (name, handler) => {
  // By its deadline alone, which the good node has to meet on a busy machine.
  const limits = name === 'hangs' ? { timeoutMs: 5_000, hedgeMs: 120_000 } : {}
  const { post } = await start([handler, good], limits)
  expect(await post(call('eth_blockNumber'))).toMatchObject({ status: 200, text: block })
})

test('behavior: an endless answer is cut off, not held in memory', async () => {
  const { post } = await start([endless, good], { maxBytes: 1024 * 1024 })
  const before = process.memoryUsage().rss
  expect((await post(call('eth_blockNumber'))).text).toBe(block)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('behavior: what the chain itself says is passed on', async () => {
  const reverts = honest(5, { eth_call: new Error('execution reverted: rate limit') })
  const { post } = await start([reverts, good])
  expect(JSON.parse((await post(call('eth_call'))).text).error).toEqual({
    code: -32000,
    message: 'execution reverted: rate limit',
  })
})

test('error: all upstreams away is 503 with Retry-After', async () => {
  const { post } = await start([html, honest(6)])
  const { status, text, headers } = await post(call('eth_blockNumber'))
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('5')
  expect(JSON.parse(text)).toEqual({
    status: 'FAILED',
    reasons: [
      {
        field: 'chainId',
        description: 'Requested eip155:5 chain provider is temporarily unavailable',
      },
    ],
  })
})

test('error: an answer too large at every upstream says so', async () => {
  const large = honest(5, { eth_getLogs: 'x'.repeat(3000) })
  const { post } = await start([large], { maxBytes: 2000 })
  expect(JSON.parse((await post(call('eth_getLogs'))).text).error).toEqual({
    code: -32005,
    message: 'The response is too large. Request less data',
  })
})

test('behavior: a failing upstream rests, then gets another chance', async () => {
  const { nodes, now, post } = await start([html, good], { breakAfter: 2, restMs: 1000 })
  for (let i = 0; i < 5; i++) await post(call('eth_blockNumber'))
  // Two failures, and the server's own probe, which fails as well.
  await expect.poll(() => nodes[0]?.bodies).toHaveLength(3)
  now.ms += 1001
  await Promise.all(Array.from({ length: 5 }, () => post(call('eth_blockNumber'))))
  // A single probe decides for all of them.
  await expect.poll(() => nodes[0]?.bodies).toHaveLength(4)
  expect(nodes[0]?.bodies[3]).toBe('eth_chainId')
})

test.each([
  ['runs into the time limit', 'hang'],
  [
    'gets an error about limits',
    { code: -32005, message: 'request exceeds the limit of 10 blocks' },
  ],
  ['ends the connection', 'end'],
  ['gets status 500', 'status'],
])(
  'error: a client whose call %s again and again has no node paused for others',
  async (_, said) => {
    const hostile: Handler = (response, calls, request) => {
      if (calls[0]?.method !== 'eth_call') return good(response, calls, request)
      if (said === 'hang') return
      if (said === 'end') return void response.destroy()
      if (said === 'status') return void response.writeHead(500).end()
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: said }))
    }
    const { post } = await start([hostile], { timeoutMs: 300, breakAfter: 2, restMs: 60_000 })
    for (let times = 0; times < 6; times++) {
      await Promise.all([post(call('eth_call')), post(call('eth_call'))])
      expect(await post(call('eth_blockNumber'))).toMatchObject({ status: 200, text: block })
    }
  },
)

test('behavior: the chain id is verified again after a while, and a node with a wrong id is not used', async () => {
  const { nodes, now, post, services } = await start([honest(6), good])
  const ask = () => post(call('eth_blockNumber'))
  await Promise.all([ask(), ask(), ask()])
  await ask()
  const verifications = () =>
    nodes.map(({ bodies }) => bodies.filter((method) => method === 'eth_chainId').length)
  expect(verifications()).toEqual([1, 1])
  expect(nodes[0]?.bodies).toEqual(['eth_chainId'])
  now.ms += 6 * 60_000
  await ask()
  await expect.poll(verifications).toEqual([2, 2])
  expect(
    await services.metrics.registry.getSingleMetricAsString('latchkey_upstream_calls_total'),
  ).toMatch(/\{chain="eip155:5",outcome="wrongChain"\} \d/)
})

/** Does not answer calls that run code. */
const overworked: Handler = (response, calls, request) => {
  if (calls[0]?.method !== 'eth_call') good(response, calls, request)
}

test('security: slow calls of a client do not pause a node, neither alone nor next to another node', async () => {
  const alone = await start([overworked], { timeoutMs: 300, breakAfter: 4, restMs: 600_000 })
  await alone.post(call('eth_blockNumber'))
  for (let times = 0; times < 5; times++)
    expect((await alone.post(call('eth_call'))).status).toBe(503)
  expect(await alone.post(call('eth_blockNumber'))).toMatchObject({ status: 200, text: block })
  const beside = await start([overworked, good], { hedgeMs: 20, breakAfter: 4, restMs: 600_000 })
  for (let times = 0; times < 6; times++) await beside.post(call('eth_call'))
  expect((await beside.post(call('eth_blockNumber'))).text).toBe(block)
  expect(beside.nodes[0]?.bodies).toContain('eth_blockNumber')
})

test('security: code that clients run has bounded gas, in every form of request', async () => {
  const told = (params: unknown) => params
  const node = honest(5, {
    ...{ eth_call: told, eth_estimateGas: told, eth_createAccessList: told, eth_simulateV1: told },
  })
  const { post } = await start([node])
  const ask = async (method: string, ...params: unknown[]) => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    return JSON.parse((await post(JSON.stringify(body))).text).result
  }
  const cap = '0x2faf080'
  const to = `0x${'11'.repeat(20)}`
  for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList']) {
    expect(await ask(method, { to, gas: '0x174876e800' }, 'latest')).toEqual([
      { to, gas: cap },
      'latest',
    ])
    expect(await ask(method, { to, gasLimit: 10 ** 12 }, 'latest')).toEqual([
      { to, gas: cap },
      'latest',
    ])
    expect(await ask(method, { to, gas: '1000000000000' })).toEqual([{ to, gas: cap }])
    expect(await ask(method, { to, gas: '0x5208' })).toEqual([{ to, gas: '0x5208' }])
    expect(await ask(method, { to }, 'latest')).toEqual([{ to }, 'latest'])
    const limit = { gasLimit: '0x174876e800' }
    expect((await ask(method, { to }, 'latest', {}, limit))[0]).toEqual({ to, gas: cap })
  }
  const twice = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"gas":"0x1","gas":"0x174876e800"}]}`
  expect(JSON.parse((await post(twice)).text).result).toEqual([{ gas: cap }])
  const many = Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_call',
    params: [{ to }],
  }))
  const [first] = JSON.parse((await post(JSON.stringify(many))).text)
  expect(first.result).toEqual([{ to, gas: '0x2dc6c0' }])
  const blocks = (blockOverrides: object, count = 1) => ({
    blockStateCalls: Array(count).fill({ blockOverrides, calls: [{ to, gas: '0x174876e800' }] }),
  })
  const [simulated] = await ask('eth_simulateV1', blocks({ gasLimit: '0x174876e800' }), 'latest')
  expect(simulated.blockStateCalls).toEqual([
    { blockOverrides: { gasLimit: cap }, calls: [{ to, gas: cap }] },
  ])
  const [shared] = await ask('eth_simulateV1', blocks({}, 100), 'latest')
  expect(shared.blockStateCalls[99]).toEqual({
    blockOverrides: { gasLimit: '0x2dc6c0' },
    calls: [{ to, gas: '0x2dc6c0' }],
  })
})

test('security: what traces is not offered', async () => {
  const { post, nodes } = await start([good])
  for (const method of [
    'debug_traceCall',
    'debug_traceTransaction',
    'trace_call',
    'trace_callMany',
    'anvil_setCode',
  ])
    expect(JSON.parse((await post(call(method))).text).error).toMatchObject({ code: -32601 })
  expect(nodes[0]?.bodies).toEqual([])
})

/** Does not answer while `state.hangs`. */
const hanging =
  (state: { hangs: boolean }): Handler =>
  (response, calls, request) => {
    if (!state.hangs) good(response, calls, request)
  }

test('behavior: a node that hangs next to a healthy one delays only a few reads, until a probe succeeds', async () => {
  const state = { hangs: false }
  const limits = { timeoutMs: 120_000, hedgeMs: 20, restMs: 1000, breakAfter: 4 }
  const { nodes, now, post } = await start([hanging(state), good], limits)
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, () => post(call('eth_blockNumber'))))
  await post(call('eth_sendRawTransaction'))
  state.hangs = true
  for (let times = 0; times < 6; times++)
    expect(await ask(1)).toMatchObject([{ status: 200, text: block }])
  // Four were slow, the fifth was no longer sent to it; the server's own probe is not answered
  // either.
  const slow = Array(4).fill('eth_blockNumber')
  await expect.poll(() => nodes[0]?.bodies.slice(2)).toEqual([...slow, 'eth_chainId'])
  now.ms += 1001
  expect((await ask(20)).every(({ status }) => status === 200)).toBe(true)
  await expect.poll(() => nodes[0]?.bodies.slice(6)).toEqual(['eth_chainId'])
  expect((await ask(20)).every(({ status }) => status === 200)).toBe(true)
  expect(nodes[0]?.bodies.slice(6)).toEqual(['eth_chainId'])
})

test('behavior: transactions never go to two nodes', async () => {
  const state = { hangs: false }
  const limits = { timeoutMs: 120_000, hedgeMs: 20, breakAfter: 99 }
  const { nodes, post } = await start([hanging(state), good], limits)
  await post(call('eth_sendRawTransaction'))
  state.hangs = true
  const method = 'eth_sendRawTransaction'
  void post(call(method))
  await expect.poll(() => nodes[0]?.bodies.slice(2)).toEqual([method])
  // Requested later from the second node as well: the time of the hedge has passed.
  expect((await post(call('eth_blockNumber'))).text).toBe(block)
  expect(nodes[1]?.bodies.filter((asked) => asked === method)).toEqual([])
})

test('error: a node that has lost its state answers for the chain but rests, until it has its state again', async () => {
  let isLost = true
  const lost: Handler = (response, calls, request) => {
    if (!isLost) return good(response, calls, request)
    const answers = calls.map(({ id, method }) =>
      method === 'eth_chainId' || method === 'eth_blockNumber'
        ? { jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x5' : '0x10' }
        : { jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node 5e (path )' } },
    )
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  }
  const { nodes, now, post } = await start([lost, good], { restMs: 1_000, breakAfter: 4 })
  const asked = (method: string) => nodes[0]?.bodies.filter((one) => one === method).length
  const ask = () => post(call('eth_getTransactionCount'))
  for (let times = 0; times < 4; times++) expect((await ask()).status).toBe(200)
  await expect.poll(() => asked('eth_getBalance')).toBe(1)
  for (let times = 0; times < 10; times++) expect((await ask()).status).toBe(200)
  expect(asked('eth_getTransactionCount')).toBe(4)
  isLost = false
  now.ms += 1_001
  await ask()
  await expect.poll(() => asked('eth_getBalance')).toBe(2)
  await ask()
  expect(asked('eth_getTransactionCount')).toBeGreaterThan(4)
})
