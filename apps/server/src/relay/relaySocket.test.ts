import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { readMetrics } from '../../test/readMetrics.ts'
import { createIdentity, testAudience } from '../../test/relayClient.ts'
import { openRelaySocket, testRelayEnv } from '../../test/relaySocket.ts'
import { listenSockets } from '../sockets.ts'
import { type ServerOptions, startServer } from '../startServer.ts'
import { createMemoryMailbox } from './mailbox/memoryMailbox.ts'
import { createQuotaBook } from './quota/quotaBook.ts'
import { createRelay } from './relay.ts'
import { createRelayMetrics } from './relayMetrics.ts'
import { relayUpgrade } from './relayUpgrade.ts'

const topic = 'ab'.repeat(32)
const other = 'cd'.repeat(32)

type Client = Awaited<ReturnType<typeof openRelaySocket>>

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(env: Record<string, string> = {}, options: ServerOptions = {}) {
  const server = await startServer({ ...testRelayEnv, ...env }, options)
  ends.push(server.stop)
  return { ...server, open: (identity?: { token: string }) => open(server.url, identity) }
}

async function open(url: string, identity: { token: string } = createIdentity()): Promise<Client> {
  const client = await openRelaySocket(url, { identity })
  ends.push(() => client.socket.terminate())
  return client
}

const publish = (client: Client, message: string, on = topic) =>
  client.call('irn_publish', { topic: on, message, ttl: 300, tag: 1108, prompt: true })

const fast = { RELAY_RATE_BURST: '1000000', RATE_LIMIT_BURST: '1000000' }

test('default: a message goes through, with its tag and time, and once acknowledged not again', async () => {
  const nowMs = Date.now()
  const { open } = await start({}, { clock: () => nowMs })
  const identity = createIdentity()
  const [alice, bob] = [await open(), await open(identity)]
  const subscription = await bob.call('irn_subscribe', { topic })
  expect(await publish(alice, 'hello')).toBe(true)
  expect(await bob.messages(1)).toEqual(['hello'])
  const [push] = bob.pushes()
  expect(push).toEqual({
    id: expect.any(Number),
    jsonrpc: '2.0',
    method: 'irn_subscription',
    params: {
      id: subscription,
      data: { topic, message: 'hello', publishedAt: nowMs, tag: 1108 },
    },
  })
  bob.acknowledge(push?.id ?? 0)
  await bob.call('irn_subscribe', { topic: other })
  expect(await bob.call('irn_fetchMessages', { topic })).toEqual({ messages: [], hasMore: false })
})

test('behavior: messages of every frame length arrive unchanged, and many in one turn arrive in order', async () => {
  const { open } = await start(fast)
  const [alice, bob] = [await open(), await open()]
  await bob.call('irn_subscribe', { topic })
  const lengths = [1, 600, 32_000, 65_200, 65_536, 70_000]
  const texts = lengths.flatMap((length) =>
    ['a', '"', 'é', '☂', '😀'].map((one) => one.repeat(length)),
  )
  await Promise.all(texts.map((text) => publish(alice, text)))
  expect(await bob.messages(texts.length)).toEqual(texts)
})

test('behavior: an id comes back as it was written', async () => {
  const { open } = await start()
  const alice = await open()
  const ids = [
    '"1795227042026957824"',
    '7',
    '1795227042026957824',
    '18446744073709551615',
    '"a\\"b"',
  ]
  for (const id of ids)
    expect(
      await alice.ask(
        `{"id":${id},"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${topic}"}}`,
      ),
    ).toMatch(new RegExp(`^\\{"id":${id.replaceAll('\\', '\\\\')},"jsonrpc":"2.0","result":"`))
})

test('behavior: pushes have the prefix of their subscriber', async () => {
  const { open } = await start()
  const alice = await open()
  for (const prefix of ['irn', 'iridium', 'waku']) {
    const bob = await open()
    await bob.call(`${prefix}_subscribe`, { topic })
    await alice.call(`${prefix}_publish`, { topic, message: prefix, ttl: 60, tag: 0 })
    await bob.messages(1)
    expect(bob.pushes()[0]?.method).toBe(`${prefix}_subscription`)
  }
})

test('behavior: every method of the protocol', async () => {
  const { open } = await start()
  const [alice, bob] = [await open(), await open()]
  const id = expect.stringMatching(/^[0-9a-f]{64}$/)
  const ask = (method: string, params: unknown) => bob.call(method, params)
  expect(await ask('wc_createTopic', { topic })).toBe(true)
  expect(await ask('irn_subscribe', { topic })).toEqual(id)
  expect(await ask('irn_subscribeBlocking', { topic })).toEqual(id)
  expect(await ask('irn_batchSubscribe', { topics: [topic, other] })).toEqual([id, id])
  expect(await ask('irn_batchSubscribeBlocking', { topics: [topic] })).toEqual([{ id }])
  expect(await ask('irn_unsubscribe', { topic, id: 'invented' })).toBe(true)
  const subscriptions = [{ topic: other, id: 'invented' }]
  expect(await ask('irn_batchUnsubscribe', { subscriptions })).toBe(true)

  const messages = ['1', '2'].map((message) => ({ topic, message, ttl: 60, tag: 1108 }))
  expect(await alice.call('irn_batchPublish', { messages })).toBe(true)
  const fetched = await ask('irn_fetchMessages', { topic })
  const of = (message: string, tag = 1108, on = topic) => ({
    topic: on,
    message,
    publishedAt: expect.any(Number),
    tag,
  })
  expect(fetched).toEqual({ messages: [of('1'), of('2')], hasMore: false })
  expect(await ask('irn_batchFetchMessages', { topics: [topic, other] })).toEqual({
    messages: [],
    hasMore: false,
  })
  const receipts = [{ topic, message_id: 'ef'.repeat(32) }]
  expect(await ask('irn_batchReceive', { receipts })).toBe(true)

  const proposal = {
    pairingTopic: topic,
    sessionProposal: 'proposal',
    ttl: 300,
    correlationId: 1795227042017287,
    rpcMethods: ['personal_sign'],
  }
  expect(await alice.call('wc_proposeSession', proposal)).toBe(true)
  expect(await ask('irn_fetchMessages', { topic })).toMatchObject({
    messages: [of('proposal', 1100)],
  })
  const approval = {
    pairingTopic: topic,
    sessionTopic: other,
    sessionProposalResponse: 'response',
    sessionSettlementRequest: 'settlement',
    approvedAccounts: ['eip155:1:0x0'],
    sessionProperties: { a: 'b' },
  }
  expect(await ask('wc_approveSession', approval)).toBe(true)
  // The dapp itself never subscribed: proposing subscribed it.
  expect(await alice.messages(1)).toEqual(['response'])
  expect(await alice.call('irn_fetchMessages', { topic: other })).toMatchObject({
    messages: [of('settlement', 1102, other)],
  })
  expect(await ask('irn_watchRegister', {})).toBe('InvalidMethod')
})

test('behavior: after a lost socket unacknowledged messages are delivered again, on the same subscription', async () => {
  const nowMs = { value: Date.now() }
  const { open, tick } = await start({}, { clock: () => nowMs.value })
  const identity = createIdentity()
  const alice = await open()
  const bob = await open(identity)
  await bob.call('irn_subscribe', { topic })
  for (const text of ['1', '2', '3']) await publish(alice, text)
  await bob.messages(3)
  bob.acknowledge(bob.pushes()[1]?.id ?? 0)
  await bob.call('irn_subscribe', { topic: other })
  const gone = bob.closed
  bob.socket.terminate()
  await gone
  await publish(alice, '4')

  const again = await open(identity)
  // It sends nothing: the relay restores its subscriptions.
  nowMs.value += 1_100
  await tick()
  expect(await again.messages(3)).toEqual(['1', '3', '4'])
})

test('param: relayPushDelayMs: the publisher is answered well before', async () => {
  const { open } = await start({}, { relayPushDelayMs: 30 })
  const [alice, bob] = [await open(), await open()]
  await bob.call('irn_subscribe', { topic })
  const startedAt = performance.now()
  await publish(alice, '1')
  await bob.messages(1)
  expect(performance.now() - startedAt).toBeGreaterThan(25)
})

test('behavior: draining answers accepted requests, then refuses further ones', async () => {
  const { open: openClient, upgrade, relay, sockets, release, published } = await startHeld()
  const alice = await openClient()
  const before = publish(alice, '1')
  await expect.poll(published).toBe(1)
  const drained = upgrade.drain()
  publish(alice, '2')
  await new Promise((resolve) => alice.socket.once('pong', resolve).ping())
  release()
  expect(await before).toBe(true)
  await drained
  relay.stop()
  await sockets.close()
  expect(await alice.closed).toBe(1001)
  expect(published()).toBe(1)
  expect(alice.frames).toHaveLength(1)
  await expect(openClient()).rejects.toThrow('503')
})

test('error: frames that wait for an answer count as memory of their client', async () => {
  const { open: openClient, services, published } = await startHeld()
  const alice = await openClient()
  const frames = 40
  for (let sent = 0; sent < frames; sent++) void publish(alice, 'x'.repeat(50_000))
  await expect.poll(published).toBe(1)
  await expect
    .poll(() => services.responseMemory.held('127.0.0.1'))
    .toBeGreaterThan(frames * 50_000)
  alice.socket.terminate()
})

/** A relay whose mailbox stores nothing until `release` is called. */
async function startHeld() {
  const services = makeServices({})
  const { config, clock, log } = services
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let published = 0
  const memory = createMemoryMailbox({ now: clock })
  const relay = createRelay({
    mailbox: {
      ...memory,
      async publish(...given) {
        published += 1
        await held
        return memory.publish(...given)
      },
    },
    now: clock,
    report: (error) => log.error(error),
  })
  const metrics = createRelayMetrics(services.metrics.registry, {}, () => ({}))
  const audiences = [testAudience]
  const quotas = createQuotaBook({ now: clock, limits: config.relay })
  const upgrade = relayUpgrade({ ...services, relay, metrics, quotas, audiences })
  const server = createServer()
  const openServices = { ...services, authorize: async () => undefined }
  const sockets = listenSockets(server, openServices, { '/': upgrade.route })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  ends.push(() => server.close())
  return {
    upgrade,
    relay,
    sockets,
    services,
    release,
    published: () => published,
    open: () => open(url),
  }
}

test('behavior: a client that does not read is disconnected; its messages wait until it returns', async () => {
  const { open, url } = await start({
    ...fast,
    RELAY_BACKLOG_BYTES: String(2 * 1024 * 1024),
    RELAY_MAILBOX_BYTES_PER_CLIENT: '100000000',
  })
  const identity = createIdentity()
  const [alice, bob] = [await open(), await open(identity)]
  const topics = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(64))
  await bob.call('irn_batchSubscribe', { topics })
  bob.socket.pause()
  const overflown = async () => (await readMetrics(url)).includes('reason="backlog"')
  let sent = 0
  while (sent < 400 && !(await overflown())) {
    for (let index = 0; index < 8; index++) {
      sent += 1
      const message = `${sent}:${'x'.repeat(100_000)}`
      expect(await publish(alice, message, topics[index] ?? '')).toBe(true)
    }
  }
  expect(await overflown()).toBe(true)
  bob.socket.terminate()

  const again = await open(identity)
  await again.call('irn_batchSubscribe', { topics })
  const texts = await again.messages(sent)
  const numbers = texts.map((text) => Number(text.split(':')[0])).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: sent }, (_, index) => index + 1))
})

test('param: sizes: a message of 96 KiB passes, too large a frame is answered, a huge one closes', async () => {
  const { open } = await start({ RELAY_FRAME_MAX_BYTES: '262144' })
  const [alice, bob] = [await open(), await open()]
  await bob.call('irn_subscribe', { topic })
  const large = 'A'.repeat(98_304)
  expect(await publish(alice, large)).toBe(true)
  expect(await bob.messages(1)).toEqual([large])
  expect(JSON.parse(await alice.ask('x'.repeat(300_000)))).toMatchObject({
    id: 0,
    error: { code: -32600, data: 'PayloadSizeExceeded' },
  })
  alice.socket.send('x'.repeat(600_000))
  expect(await alice.closed).toBe(1009)
  expect(await publish(bob, 'still here')).toBe(true)
})

test('error: frames that say nothing are answered and do no harm', async () => {
  const { open } = await start(fast)
  const alice = await open()
  const tagOf = async (frame: string | Buffer) => {
    const { id, error } = JSON.parse(await alice.ask(frame))
    return [id, error.data]
  }
  const request = (rest: string) => `{"jsonrpc":"2.0","method":"irn_subscribe",${rest}}`
  const params = `"params":{"topic":"${topic}"}`
  expect(await tagOf(Buffer.from([1, 2, 3]))).toEqual([0, 'Serialization'])
  expect(await tagOf('')).toEqual([0, 'Serialization'])
  expect(await tagOf('[]')).toEqual([0, 'Serialization'])
  expect(await tagOf(`${'['.repeat(200_000)}`)).toEqual([0, 'Serialization'])
  expect(await tagOf(request(`"id":null,${params}`))).toEqual([0, 'InvalidRequestId'])
  expect(await tagOf(request(`"id":{},${params}`))).toEqual([0, 'InvalidRequestId'])
  expect(await tagOf(request(`"id":1.5,${params}`))).toEqual([0, 'InvalidRequestId'])
  expect(await tagOf(request('"id":1'))).toEqual([1, 'InvalidParams'])
  expect(await tagOf(request('"id":1,"params":{"topic":"abc"}'))).toEqual([1, 'InvalidTopic'])
  expect(await tagOf('{"id":1,"method":"irn_subscribe"}')).toEqual([1, 'InvalidJsonRpcVersion'])
  expect(await tagOf('{"id":1,"jsonrpc":"2.0","method":"eth_call"}')).toEqual([1, 'InvalidMethod'])
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  expect(await tagOf(request(`"id":1,"params":${deep}`))).toEqual([0, 'Serialization'])
})

test('behavior: no frame brings the relay down or opens a mailbox', async () => {
  const { open } = await start(fast)
  const [alice, victim] = [await open(), await open()]
  await victim.call('irn_subscribe', { topic })
  const good = JSON.stringify({
    id: 1,
    jsonrpc: '2.0',
    method: 'irn_publish',
    params: { topic: other, message: 'm', ttl: 60, tag: 1100 },
  })
  const frame = fc.oneof(
    fc.string(),
    fc.json(),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(good.length).map((length) => good.slice(0, length)),
    fc
      .tuple(fc.nat(good.length), fc.string({ maxLength: 3 }))
      .map(([at, text]) => good.slice(0, at) + text + good.slice(at)),
    fc
      .record({
        id: fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null), fc.object()),
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        method: fc.constantFrom(
          'irn_subscribe',
          'irn_batchPublish',
          'wc_approveSession',
          '__proto__',
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({ topic: fc.string(), topics: fc.array(fc.string()) }),
        ),
      })
      .map((json) => JSON.stringify(json)),
    fc
      .record({ id: fc.integer(), jsonrpc: fc.constant('2.0'), result: fc.jsonValue() })
      .map((json) => JSON.stringify(json)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 20 }), async (frames) => {
      for (const one of [...frames, ...frames]) alice.socket.send(one)
      expect(await alice.call('irn_unsubscribe', { topic, id: '' })).toBe(true)
    }),
    { numRuns: 100 },
  )
  expect(victim.pushes()).toEqual([])
  expect(await publish(alice, 'after all')).toBe(true)
  expect(await victim.messages(1)).toEqual(['after all'])
})

test('behavior: answers to the pushes of others, invented or repeated, take nothing away', async () => {
  const { open } = await start()
  const identity = createIdentity()
  const [alice, bob, mallory] = [await open(), await open(identity), await open()]
  await bob.call('irn_subscribe', { topic })
  await publish(alice, '1')
  await bob.messages(1)
  const pushId = Number(bob.pushes()[0]?.id)
  for (const id of [pushId, pushId, pushId + 1, 1e9]) mallory.acknowledge(id)
  await mallory.call('irn_subscribe', { topic: other })
  expect(await bob.call('irn_fetchMessages', { topic })).toMatchObject({
    messages: [{ message: '1' }],
  })
})

test('behavior: nothing is written down and nothing is counted by name', async () => {
  let printed = ''
  const sink = new Writable({
    write(chunk, _, done) {
      printed += chunk
      done()
    },
  })
  const { open, url, stop } = await start({}, { log: pino({ level: 'trace', base: null }, sink) })
  const identity = createIdentity()
  const [alice, bob] = [await open(), await open(identity)]
  await bob.call('irn_subscribe', { topic })
  await alice.call('irn_publish', {
    topic,
    message: 'secret-message',
    ttl: 60,
    tag: 1108,
    attestation: 'secret-attestation',
    tvf: { txHashes: ['secret-hash'], rpcMethods: ['secret-method'] },
  })
  await alice.call('wc_approveSession', {
    pairingTopic: topic,
    sessionTopic: other,
    sessionProposalResponse: 'secret-response',
    sessionSettlementRequest: 'secret-settlement',
    approvedAccounts: ['secret-account'],
    approvedMethods: ['secret-approved'],
  })
  await bob.messages(2)
  bob.acknowledge(bob.pushes()[0]?.id ?? 0)
  for (const bad of ['secret-garbage', '{"secret-key":1}', `{"id":"secret-id","jsonrpc":"2.0"}`])
    await alice.ask(bad)
  await expect(openRelaySocket(url, { identity: { token: 'secret-token' } })).rejects.toThrow('401')
  const metrics = await readMetrics(url, '?auth=secret-query')
  alice.socket.send('x'.repeat(3_000_000))
  expect(await alice.closed).toBe(1009)
  await stop()
  expect(metrics).toContain('latchkey_relay_messages_total{event="published"} 3')
  expect(metrics).toContain('latchkey_relay_mailbox_messages 3')
  expect(metrics).toContain('latchkey_relay_refusals_total{reason="token"} 1')
  const told = metrics.replaceAll(/^.*_bytes.*$/gm, '') + printed
  expect(printed).toContain('"msg":"listening"')
  for (const secret of ['secret', topic, other, identity.clientId, identity.token.slice(-40)])
    expect(told).not.toContain(secret)
  // The relay delivers the message, but none of the fields that are only for the relay.
  const heard = bob.frames.join('')
  expect(heard).toContain('secret-message')
  for (const dropped of ['secret-hash', 'secret-method', 'secret-account', 'secret-approved'])
    expect(heard).not.toContain(dropped)
})
