import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Handler, honestSolana, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import type { ChainConfig } from '../config/chainsFile.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { listenSockets } from '../sockets.ts'
import { rpcRoutes } from './routes.ts'
import { rpcUpgrade } from './socketRoute.ts'

const genesis = '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz'
const chainId = `solana:${genesis.slice(0, 32)}` as const
const otherGenesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const account = 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy'
const signature = '5'.repeat(87)

const stops: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

const call = (id: number, method: string, params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

async function start(handlers: Handler[], parts: Partial<ChainConfig> = {}) {
  const nodes = await Promise.all(handlers.map((handler) => startUpstream(handler)))
  stops.push(...nodes.map(({ stop }) => stop))
  const urls = nodes.map(({ url }) => url)
  const services = makeServices({ [chainId]: { ...chainWith(urls), ...parts } })
  const upstreams = createUpstreams(services, { timeoutMs: 120_000, hedgeMs: 120_000 })
  const app = rpcRoutes(services, upstreams)
  const post = async (body: unknown) => {
    const response = await app.request(`/v1?chainId=${chainId}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return { status: response.status, json: await response.json() }
  }
  return { nodes, post, services, upstreams }
}

test('default: reads, simulations and signed transactions are passed on', async () => {
  const { post } = await start([honestSolana(genesis, { getSlot: 7 })])
  expect((await post(call(1, 'getSlot'))).json).toEqual({ jsonrpc: '2.0', id: 1, result: 7 })
  const passed = ['getTokenAccountsByOwner', 'simulateTransaction', 'sendTransaction']
  const { json } = await post(passed.map((method, index) => call(index, method, ['x'])))
  expect(json).toEqual(
    passed.map((method, id) => ({ jsonrpc: '2.0', id, result: { method, params: ['x'] } })),
  )
})

test.each(['setLogFilter', 'adminExit', 'getIdentity', 'eth_call', 'accountSubscribe', 'toString'])(
  'error: %s is refused',
  async (method) => {
    const { nodes, post } = await start([honestSolana(genesis)])
    expect((await post(call(1, method))).json.error.code).toBe(-32601)
    expect(nodes[0]?.bodies).toEqual([])
  },
)

test('param: testnet: coins for nothing on test networks alone', async () => {
  const main = await start([honestSolana(genesis)])
  expect((await main.post(call(1, 'requestAirdrop', [account, 1]))).json.error.code).toBe(-32601)
  const trial = await start([honestSolana(genesis, { requestAirdrop: 'sig' })], { testnet: true })
  expect((await trial.post(call(1, 'requestAirdrop', [account, 1]))).json.result).toBe('sig')
})

test('behavior: the words of the chain are passed on with their data', async () => {
  const data = { err: 'BlockhashNotFound', logs: ['Program log: rate limit, try again later'] }
  const message = 'Transaction simulation failed: Blockhash not found: request limit exceeded'
  const refuses = Object.assign(new Error(message), { code: -32002, data })
  const { nodes, post } = await start([
    honestSolana(genesis, { sendTransaction: refuses }),
    honestSolana(genesis),
  ])
  const { json } = await post(call(1, 'sendTransaction', ['x']))
  expect(json.error).toEqual({ code: -32002, message, data })
  expect(nodes[1]?.bodies).toEqual([])
})

test('behavior: a node of another chain or behind the others is passed over', async () => {
  const behind = Object.assign(new Error('Node is behind by 42 slots'), { code: -32005 })
  const { nodes, post, services, upstreams } = await start([
    honestSolana(otherGenesis, { getSlot: 1 }),
    honestSolana(`${genesis.slice(0, 31)}x${genesis.slice(32)}`, { getSlot: 2 }),
    honestSolana(genesis, { getSlot: behind }),
    honestSolana(genesis, { getSlot: 4 }),
  ])
  expect((await post(call(1, 'getSlot'))).json.result).toBe(4)
  expect(nodes.map(({ bodies }) => bodies.includes('getSlot'))).toEqual([false, false, true, true])
  await upstreams.verifyAtStart()
  expect(services.health.troubles().get('nodes')).toContain(chainId)
})

test('default: equal subscriptions share one at the node, which ends with its last listener', async () => {
  const node = await startSocketNode()
  const one = await connect({ upstreams: [node.url] })
  const two = await one.more()
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const first = await one.ask(call(1, 'accountSubscribe', [account, options]))
  const second = await two.ask(
    call(5, 'accountSubscribe', [account, { encoding: 'base64', commitment: 'confirmed' }]),
  )
  expect([first, second]).toMatchObject([
    { id: 1, result: 1 },
    { id: 5, result: 1 },
  ])
  const told = [one.next(), two.next()]
  node.tell('accountNotification', { context: { slot: 9 }, value: {} })
  const notification = {
    jsonrpc: '2.0',
    method: 'accountNotification',
    params: { subscription: 1, result: { context: { slot: 9 }, value: {} } },
  }
  expect(await Promise.all(told)).toEqual([notification, notification])
  expect(node.asked('accountSubscribe')).toEqual([[account, options]])
  expect(await one.ask(call(2, 'accountUnsubscribe', [1]))).toMatchObject({ result: true })
  expect(await one.ask(call(3, 'accountUnsubscribe', [1]))).toMatchObject({ result: false })
  expect(node.asked('accountUnsubscribe')).toEqual([])
  two.socket.close()
  await expect.poll(() => node.asked('accountUnsubscribe')).toEqual([[70]])
})

test('default: a signature is reported once, and the subscription ends', async () => {
  const node = await startSocketNode()
  const { ask, next } = await connect({ upstreams: [node.url] })
  const subscribe = [signature, { commitment: 'confirmed', enableReceivedNotification: true }]
  for (const id of [1, 2]) {
    expect(await ask(call(1, 'signatureSubscribe', subscribe))).toMatchObject({ result: id })
    const told = next()
    node.tell('signatureNotification', { context: { slot: 1 }, value: { err: null } })
    expect(await told).toMatchObject({
      method: 'signatureNotification',
      params: { subscription: id, result: { value: { err: null } } },
    })
  }
  const known = [signature, { commitment: 'confirmed' }]
  expect(node.asked('signatureSubscribe')).toEqual([known, known])
  expect(node.asked('signatureUnsubscribe')).toEqual([])
})

test.each([
  ['logsSubscribe', ['all']],
  ['logsSubscribe', ['allWithVotes', { commitment: 'confirmed' }]],
  ['logsSubscribe', [{ mentions: [account, account] }]],
  ['accountSubscribe', ['not an account']],
  ['accountSubscribe', [account, { commitment: 'soon' }]],
  ['programSubscribe', [account]],
  ['blockSubscribe', ['all']],
  ['voteSubscribe', []],
])('error: %s %j has no bounds or no sense', async (method, params) => {
  const node = await startSocketNode()
  const { ask } = await connect({ upstreams: [node.url] })
  expect(await ask(call(1, method, params))).toMatchObject({ error: { code: -32601 } })
  expect(node.asked(method)).toEqual([])
})

test('param: webSocketUrls: subscriptions go there, and a liar there is passed over', async () => {
  const [liar, plain] = [await startSocketNode(otherGenesis), await startSocketNode(null)]
  const webSocketUrls = [liar, plain].map(({ url }) => url.replace('http', 'ws'))
  const { ask } = await connect({ upstreams: ['http://127.0.0.1:9'], webSocketUrls })
  expect(await ask(call(1, 'slotSubscribe'))).toMatchObject({ result: 1 })
  expect(await ask(call(2, 'logsSubscribe', [{ mentions: [account] }]))).toMatchObject({
    result: 2,
  })
  expect([liar.asked('slotSubscribe').length, plain.asked('slotSubscribe').length]).toEqual([0, 1])
})

/**
 * A node that offers subscriptions; without a genesis hash it supports nothing else, like
 * validators.
 */
async function startSocketNode(hash: string | null = genesis) {
  const server = createServer()
  const node = new WebSocketServer({ server })
  stops.push(() => {
    for (const peer of node.clients) peer.terminate()
    server.close()
  })
  const calls: { method: string; params: unknown }[] = []
  const asked = (name: string) =>
    calls.filter(({ method }) => method === name).map(({ params }) => params)
  node.on('connection', (peer) =>
    peer.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data))
      calls.push({ method, params })
      const answer =
        method === 'getGenesisHash' && hash === null
          ? { error: { code: -32601, message: 'Method not found' } }
          : { result: method === 'getGenesisHash' ? hash : 70 }
      peer.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    tell(method: string, result: unknown) {
      const params = { subscription: 70, result }
      for (const peer of node.clients) peer.send(JSON.stringify({ jsonrpc: '2.0', method, params }))
    },
  }
}

async function connect(chain: { upstreams: string[]; webSocketUrls?: string[] }) {
  const services = makeServices({ [chainId]: { ...chainWith([]), ...chain } })
  const server = createServer()
  stops.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const route = rpcUpgrade(services, createUpstreams(services))
  listenSockets(server, { ...services, authorize: async () => undefined }, { '/v1': route })
  const more = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1?chainId=${chainId}`, {
      allowSynchronousEvents: false,
    })
    stops.push(() => socket.terminate())
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.on('error', reject)
    })
    const next = () =>
      new Promise<unknown>((resolve) =>
        socket.once('message', (data) => resolve(JSON.parse(String(data)))),
      )
    const ask = (body: unknown) => {
      const answer = next()
      socket.send(JSON.stringify(body))
      return answer
    }
    return { socket, next, ask }
  }
  return { ...(await more()), more }
}
