import { createServer, IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { type Chains, startChains } from '@latchkey/dev'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import type { Config } from '../config.ts'
import type { Bucket } from '../kv/tokenBucket.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { listenSockets } from '../sockets.ts'
import { createFeed } from './createFeed.ts'
import { rpcUpgrade, type SocketLimits } from './socketRoute.ts'

let chains: Chains
const servers: Server[] = []
const sockets: WebSocket[] = []

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => chains?.stop())

test('default: calls, batches and their ids', async () => {
  const { ask } = await connect()
  expect(await ask('{"jsonrpc":"2.0","id":18446744073709551615,"method":"eth_chainId"}')).toBe(
    '{"jsonrpc":"2.0","id":18446744073709551615,"result":"0x7a69"}',
  )
  const batch = await ask(JSON.stringify([call(1, 'eth_blockNumber'), call(2, 'anvil_mine', [])]))
  expect(JSON.parse(batch)).toMatchObject([
    { id: 1, result: expect.stringMatching(/^0x/) },
    { id: 2, error: { code: -32601 } },
  ])
})

test('default: newHeads arrive until unsubscribed', async () => {
  const { ask, next, socket } = await connect()
  const id = JSON.parse(await ask(JSON.stringify(call(1, 'eth_subscribe', ['newHeads'])))).result
  const head = next()
  await mine()
  expect(JSON.parse(await head)).toMatchObject({
    method: 'eth_subscription',
    params: { subscription: id, result: { number: expect.stringMatching(/^0x/) } },
  })
  expect(JSON.parse(await ask(JSON.stringify(call(2, 'eth_unsubscribe', [id])))).result).toBe(true)
  let more = 0
  socket.on('message', () => more++)
  await mine()
  await ask(JSON.stringify(call(3, 'eth_blockNumber')))
  expect(more).toBe(1)
})

test('default: logs arrive by their filter', async () => {
  const { ask, next } = await connect()
  const { usd } = chains.addresses['eip155:31337']
  const filter = { address: usd, topics: [transferTopic] }
  const id = JSON.parse(
    await ask(JSON.stringify(call(1, 'eth_subscribe', ['logs', filter]))),
  ).result
  const log = next()
  // Another contract's event comes first, which this filter must skip.
  await transfer(chains.addresses['eip155:31337'].gold)
  await transfer(usd)
  expect(JSON.parse(await log)).toMatchObject({
    method: 'eth_subscription',
    params: { subscription: id, result: { address: usd.toLowerCase() } },
  })
})

test('behavior: when the chain connection is lost under a subscription the socket closes with 1012', async () => {
  const node = await startSocketNode()
  const { ask, socket } = await connect({ url: node.url })
  await ask(JSON.stringify(call(1, 'eth_subscribe', ['newHeads'])))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  node.drop()
  expect(await closed).toBe(1012)
})

test('behavior: a lost chain connection without subscription is opened again', async () => {
  const node = await startSocketNode()
  const { ask, next, socket } = await connect({ url: node.url })
  const { result } = JSON.parse(await ask(JSON.stringify(call(1, 'eth_subscribe', ['newHeads']))))
  await next()
  await ask(JSON.stringify(call(2, 'eth_unsubscribe', [result])))
  node.drop()
  await node.dropped()
  // The end of the socket must first arrive at the server.
  await ask(JSON.stringify(call(3, 'eth_chainId')))
  const again = await ask(JSON.stringify(call(4, 'eth_subscribe', ['newHeads'])))
  expect(JSON.parse(again)).toEqual({ jsonrpc: '2.0', id: 4, result: ownId })
  expect(socket.readyState).toBe(WebSocket.OPEN)
})

test('behavior: the chain connection goes with the client, and the answer before its notifications', async () => {
  const node = await startSocketNode()
  const { socket } = await connect({ url: node.url })
  const texts: string[] = []
  const two = new Promise<void>((resolve) => {
    socket.on('message', (data) => texts.push(String(data)) === 2 && resolve())
  })
  socket.send(JSON.stringify(call(1, 'eth_subscribe', ['newHeads'])))
  await two
  expect(texts.map((text) => JSON.parse(text).method)).toEqual([undefined, 'eth_subscription'])
  socket.close()
  await node.dropped()
})

test.each([
  ['newPendingTransactions', -32601],
  ['syncing', -32601],
])('error: %s cannot be subscribed to', async (name, code) => {
  const { ask } = await connect()
  const answer = await ask(JSON.stringify(call(1, 'eth_subscribe', [name])))
  expect(JSON.parse(answer).error.code).toBe(code)
})

test('error: an invalid or forbidden message is answered, and the socket stays open', async () => {
  const { ask } = await connect()
  expect(JSON.parse(await ask('{')).error.code).toBe(-32700)
  expect(JSON.parse(await ask(Buffer.from('{}'))).error.code).toBe(-32700)
  expect(JSON.parse(await ask(JSON.stringify(call(1, 'eth_accounts')))).error.code).toBe(-32601)
})

test('error: an unavailable chain is reported in JSON-RPC', async () => {
  const { ask } = await connect({ url: 'http://127.0.0.1:9' })
  expect(JSON.parse(await ask(JSON.stringify(call(7, 'eth_blockNumber'))))).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32002,
      message: 'Requested eip155:31337 chain provider is temporarily unavailable',
    },
  })
  const answer = await ask(JSON.stringify(call(8, 'eth_subscribe', ['newHeads'])))
  expect(JSON.parse(answer).error.code).toBe(-32002)
})

test('error: a chain of another id gives no subscription', async () => {
  const { ask } = await connect({ url: chains.urls['eip155:31338'] })
  const answer = await ask(JSON.stringify(call(1, 'eth_subscribe', ['newHeads'])))
  expect(JSON.parse(answer).error.code).toBe(-32002)
})

test('error: a chain of another namespace has no subscriptions, and none to close', async () => {
  const node = await startSocketNode()
  const { ask, socket } = await connect({ url: node.url, chainId: 'bip122:regtest' })
  const answer = await ask(JSON.stringify(call(1, 'eth_subscribe', ['newHeads'])))
  expect(JSON.parse(answer).error.code).toBe(-32601)
  socket.close()
  await new Promise((resolve) => socket.once('close', resolve))
})

test('behavior: too many open requests are refused, silence ends the socket', async () => {
  const none = await connect({ limits: { inFlight: 0, idleMs: 10_000, backlogBytes: 1e6 } })
  const open = { code: -32005, message: 'Too many requests are open on this socket' }
  expect(JSON.parse(await none.ask(JSON.stringify(call(7, 'eth_blockNumber'))))).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: open,
  })
  const batch = JSON.stringify([call(8, 'eth_blockNumber'), call(9, 'eth_blockNumber')])
  expect(JSON.parse(await none.ask(batch))).toMatchObject([
    { id: 8, error: open },
    { id: 9, error: open },
  ])
  const idle = await connect({ limits: { inFlight: 5, idleMs: 50, backlogBytes: 1e6 } })
  expect(await new Promise((resolve) => idle.socket.once('close', resolve))).toBe(1000)
})

test('error: more messages than HTTP requests would be allowed are refused', async () => {
  const { ask } = await connect({ rateLimit: { capacity: 2, refillPerSecond: 0.01 } })
  for (const id of [1, 2])
    expect(JSON.parse(await ask(JSON.stringify(call(id, 'eth_chainId')))).result).toBe('0x7a69')
  expect(JSON.parse(await ask(JSON.stringify(call(3, 'eth_chainId'))))).toMatchObject({
    id: 3,
    error: { code: -32005, message: expect.stringContaining('limit exceeded') },
  })
})

test('error: each call of a batch counts as a message', async () => {
  const { ask } = await connect({ rateLimit: { capacity: 2, refillPerSecond: 0.01 } })
  const batch = JSON.stringify(Array(100).fill(call(1, 'eth_chainId')))
  expect(JSON.parse(await ask(batch))[99]).toMatchObject({ result: '0x7a69' })
  expect(JSON.parse(await ask(JSON.stringify(call(2, 'eth_chainId'))))).toMatchObject({
    id: 2,
    error: { code: -32005 },
  })
})

test('error: of 40 subscriptions that arrive at once 20 are made, and an ended subscription makes room', async () => {
  const node = await startSocketNode()
  const { ask, socket } = await connect({ url: node.url })
  const answers: { id: number; result?: string; error?: { code: number } }[] = []
  let notifications = 0
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.id !== undefined) answers.push(message)
    else notifications++
  })
  for (let id = 1; id <= 40; id++)
    socket.send(JSON.stringify(call(id, 'eth_subscribe', ['logs', { address: addressAt(id) }])))
  // The node notifies each subscription of one head. Later, `ask` would mistake that for its
  // response.
  await expect.poll(() => [answers.length, notifications]).toEqual([40, 20])
  const made = answers.flatMap(({ result }) => result ?? [])
  expect(new Set(made).size).toBe(20)
  expect(answers.filter(({ error }) => error?.code === -32600)).toHaveLength(20)
  expect(node.asked('eth_subscribe')).toBe(20)
  await ask(JSON.stringify(call(41, 'eth_unsubscribe', [made[0]])))
  const again = await ask(JSON.stringify(call(42, 'eth_subscribe', ['newHeads'])))
  expect(JSON.parse(again)).toMatchObject({ id: 42, result: ownId })
})

test('error: if all subscriptions at a node are used, the client with the most loses its oldest', async () => {
  const node = await startSocketNode()
  const feed = createFeed('eip155:31337', () => [node.url])
  const lost: string[] = []
  const join = (client: string, number: number) =>
    feed.join(logsAt(number), { client, onResult() {}, onLost: () => lost.push(client) })
  const open = (client: string, first: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => join(client, first + index)))
  await open('0', 0, 200)
  expect(await join('0', 200)).toMatchObject({ error: expect.stringContaining('-32005') })
  for (let client = 1; client < 10; client++) await open(`${client}`, client * 200, 200)
  expect(lost).toEqual([])
  expect(await join('honest', 5_000)).toHaveProperty('leave')
  expect(lost).toEqual(['0'])
})

test('security: a client that opens too much does not end a subscription that others have too', async () => {
  const node = await startSocketNode()
  const feed = createFeed('eip155:31337', () => [node.url])
  const lost: string[] = []
  const join = (client: string, number: number) =>
    feed.join(logsAt(number), {
      client,
      onResult() {},
      onLost: () => lost.push(`${client} ${number}`),
    })
  // The attacker is the first to open a subscription that all clients need.
  await join('0', 0)
  await join('honest', 0)
  for (let client = 0; client < 10; client++)
    await Promise.all(
      Array.from({ length: client === 0 ? 199 : 200 }, (_, index) =>
        join(`${client}`, client * 200 + index + 1),
      ),
    )
  expect(await join('9', 0)).toHaveProperty('leave')
  expect(await join('other', 5_000)).toHaveProperty('leave')
  expect(lost).toHaveLength(1)
  for (let number = 5_001; number < 5_400; number++) await join('other', number)
  expect(lost.filter((one) => one === 'honest 0')).toEqual([])
})

test('behavior: equal subscriptions of many sockets are one at the node, which ends with the last', async () => {
  const node = await startSocketNode()
  const opened = await connect({ url: node.url })
  const clients = [opened, await opened.more(), await opened.more()]
  const spellings = [
    { address: [addressAt(1), addressAt(0xab)], topics: [null, [topicAt(1), topicAt(2)]] },
    { topics: [null, [topicAt(2), topicAt(1)]], address: [addressAt(0xab), addressAt(1)] },
    {
      address: [addressAt(0xab).toUpperCase().replace('X', 'x'), addressAt(1)],
      topics: [null, [topicAt(2), topicAt(1), topicAt(2)]],
      fromBlock: '0x1',
    },
  ]
  const ids: string[] = []
  for (const [index, { ask, next }] of clients.entries()) {
    const heads = call(1, 'eth_subscribe', ['newHeads'])
    const logs = call(2, 'eth_subscribe', ['logs', spellings[index]])
    const head = JSON.parse(await ask(JSON.stringify(heads)))
    // The node notifies of a head right behind the response.
    if (index === 0) await next()
    ids.push(head.result, JSON.parse(await ask(JSON.stringify(logs))).result)
    if (index === 0) await next()
  }
  expect(new Set(ids).size).toBe(6)
  expect([node.sockets(), node.asked('eth_subscribe')]).toEqual([1, 2])
  const heard = clients.map(({ next }) => next())
  node.tell(1, { number: '0x7' })
  expect((await Promise.all(heard)).map((text) => JSON.parse(text).params)).toEqual([
    { subscription: ids[0], result: { number: '0x7' } },
    { subscription: ids[2], result: { number: '0x7' } },
    { subscription: ids[4], result: { number: '0x7' } },
  ])
  for (const [index, { ask }] of clients.entries())
    await ask(JSON.stringify(call(3, 'eth_unsubscribe', [ids[2 * index]])))
  await expect.poll(() => node.asked('eth_unsubscribe')).toBe(1)
  expect(node.sockets()).toBe(1)
  for (const { socket } of clients) socket.terminate()
  await node.dropped()
})

test('error: one socket cannot end the subscription of another', async () => {
  const node = await startSocketNode()
  const mine = await connect({ url: node.url })
  const other = await mine.more()
  const { result } = JSON.parse(
    await mine.ask(JSON.stringify(call(1, 'eth_subscribe', ['newHeads']))),
  )
  await mine.next()
  for (const id of [result, '0x1', null, {}]) {
    const answer = await other.ask(JSON.stringify(call(2, 'eth_unsubscribe', [id])))
    expect(JSON.parse(answer).result).toBe(false)
  }
  expect(node.asked('eth_unsubscribe')).toBe(0)
})

test('error: more sockets than one client, or all together, may have are refused', async () => {
  const { more } = await connect({ sockets: { total: 10, perClient: 3 } })
  const refused = await Promise.allSettled(Array.from({ length: 40 }, () => more()))
  expect(refused.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const all = await connect({ sockets: { total: 3, perClient: 10 } })
  const others = await Promise.allSettled(Array.from({ length: 40 }, () => all.more()))
  expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  all.socket.close()
  await expect
    .poll(() =>
      all.more().then(
        () => 'open',
        () => 'refused',
      ),
    )
    .toBe('open')
})

test('error: an unknown chain is refused before the upgrade', async () => {
  const services = makeServices({ 'eip155:31337': chainWith(['http://127.0.0.1:9']) })
  const route = rpcUpgrade(services, createUpstreams(services))
  const admit = (chainId: string) =>
    route.admit(new URL(`http://h/v1?chainId=${chainId}`), new IncomingMessage(new Socket()))
  expect(await admit('eip155:5')).toMatchObject({ status: 400 })
  expect(await admit('eip155:31337')).toBeTypeOf('function')
})

const call = (id: number, method: string, params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

const logsAt = (number: number) => ({
  method: 'eth_subscribe',
  params: `["logs",{"address":"${addressAt(number)}"}]`,
  unsubscribe: 'eth_unsubscribe',
  notification: 'eth_subscription',
  isSingle: false,
})

const ownId = expect.stringMatching(/^0x[0-9a-f]{32}$/)
const addressAt = (number: number) => `0x${number.toString(16).padStart(40, '0')}`
const topicAt = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Sends a token's smallest unit from the first account to itself. */
async function transfer(to: string) {
  const [account] = chains.accounts
  const owner = account?.address ?? ''
  const data = `0xa9059cbb${owner.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`
  const body = JSON.stringify(call(1, 'eth_sendTransaction', [{ from: owner, to, data }]))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chains.urls['eip155:31337'], { method: 'POST', headers, body })
  expect(await response.json()).not.toHaveProperty('error')
}

/**
 * A node that notifies of one head right behind each subscription's response; `tell` sends more,
 * `drop` closes its connections.
 */
async function startSocketNode() {
  const server = createServer()
  servers.push(server)
  const node = new WebSocketServer({ server })
  const answers: Record<string, unknown> = { eth_chainId: '0x7a69', eth_unsubscribe: true }
  const methods: string[] = []
  const asked = (name: string) => methods.filter((method) => method === name).length
  const tell = (subscription: number, result: object) => {
    const params = { subscription: `0x${subscription.toString(16)}`, result }
    for (const peer of node.clients)
      peer.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
  }
  node.on('connection', (peer) =>
    peer.on('message', (data) => {
      const { id, method } = JSON.parse(String(data))
      methods.push(method)
      const number = asked('eth_subscribe')
      const result = answers[method] ?? `0x${number.toString(16)}`
      peer.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (method === 'eth_subscribe') tell(number, {})
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    tell,
    sockets: () => node.clients.size,
    drop: () => {
      for (const peer of node.clients) peer.terminate()
    },
    dropped: () => expect.poll(() => node.clients.size).toBe(0),
  }
}

async function mine() {
  const body = JSON.stringify(call(1, 'anvil_mine', ['0x1']))
  const headers = { 'content-type': 'application/json' }
  await fetch(chains.urls['eip155:31337'], { method: 'POST', headers, body })
}

type Options = {
  url?: string
  limits?: SocketLimits
  rateLimit?: Bucket
  sockets?: Config['sockets']
  chainId?: 'eip155:31337' | 'bip122:regtest'
}

async function connect({
  url = chains.urls['eip155:31337'],
  limits,
  chainId = 'eip155:31337',
  rateLimit = { capacity: 600, refillPerSecond: 100 },
  sockets: socketLimits = { total: 100, perClient: 100 },
}: Options = {}) {
  const made = makeServices({ [chainId]: chainWith([url]) })
  const services = { ...made, config: { ...made.config, rateLimit, sockets: socketLimits } }
  const route = rpcUpgrade(services, createUpstreams(services), limits)
  const server = createServer()
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const authorize = async () => undefined
  listenSockets(server, { ...services, authorize }, { '/v1': route })
  const more = async () => {
    // One message at a time, so that a listener that awaits a message is ready for the next.
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1?chainId=${chainId}`, {
      allowSynchronousEvents: false,
    })
    sockets.push(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.on('error', reject)
    })
    const next = () =>
      new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
    const ask = (text: string | Buffer) => {
      const answer = next()
      socket.send(text)
      return answer
    }
    return { socket, next, ask }
  }
  return { ...(await more()), more }
}

test('error: a long message takes a turn of the rate for each 64 KiB, before it is parsed', async () => {
  const { ask } = await connect({ rateLimit: { capacity: 4, refillPerSecond: 0.001 } })
  const long = JSON.stringify(call(7, 'eth_chainId', ['x'.repeat(300_000)]))
  expect(JSON.parse(await ask(long))).toHaveProperty('id', 7)
  // Its id is not read, because that would take as long as handling it.
  expect(JSON.parse(await ask(long))).toMatchObject({ id: null, error: { code: -32005 } })
  const short = JSON.stringify(call(8, 'eth_chainId'))
  expect(JSON.parse(await ask(short))).toMatchObject({ id: 8, error: { code: -32005 } })
})

test('security: a socket that sends much more than it may is read no further and closed with 1008', async () => {
  const { more } = await connect({ rateLimit: { capacity: 20, refillPerSecond: 0.001 } })
  let stream: Socket | undefined
  servers.at(-1)?.once('connection', (opened) => {
    stream = opened
  })
  const { socket } = await more()
  const long = JSON.stringify(call(7, 'eth_chainId', ['x'.repeat(900_000)]))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (let times = 0; times < 100; times++) socket.send(times % 2 ? long : Buffer.from(long))
  expect(await closed).toBe(1008)
  expect(stream?.bytesRead).toBeLessThan(20_000_000)
})

test('behavior: a socket is read again when its earlier messages are answered', async () => {
  const { socket } = await connect({ rateLimit: { capacity: 10_000, refillPerSecond: 1 } })
  const long = JSON.stringify(call(7, 'eth_chainId', ['x'.repeat(900_000)]))
  let answers = 0
  socket.on('message', (data) => {
    if (JSON.parse(String(data)).result === '0x7a69') answers++
  })
  for (let times = 0; times < 30; times++) socket.send(long)
  await expect.poll(() => answers, { timeout: 20_000 }).toBe(30)
})
