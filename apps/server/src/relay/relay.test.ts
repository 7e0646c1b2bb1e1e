import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RelayParameters } from './clientConnection.ts'
import { getMessageId } from './mailbox/mailbox.ts'
import { createMemoryMailbox, type MailboxLimits } from './mailbox/memoryMailbox.ts'
import { createRelay } from './relay.ts'

const topic = 'ab'.repeat(32)
const other = 'cd'.repeat(32)
type Sent = {
  id: number
  method?: string
  params?: { data: { message: string } }
  result?: unknown
  error?: { data: string }
}

function setUp(changes: Partial<RelayParameters> = {}, limits: Partial<MailboxLimits> = {}) {
  const clock = { nowMs: 1_700_000_000_000 }
  const now = () => clock.nowMs
  const reported: unknown[] = []
  const mailbox = createMemoryMailbox({ now, limits })
  const relay = createRelay({ mailbox, now, report: (error) => reported.push(error), ...changes })
  const connect = (clientId: string) => connectClient(relay, clientId)
  return { clock, mailbox, relay, connect, reported }
}

/** A client that records everything it receives. */
function connectClient(relay: ReturnType<typeof createRelay>, clientId: string) {
  const frames: string[] = []
  const closes: (readonly [number, string])[] = []
  const connection = relay.connect({
    clientId,
    send: (text) => frames.push(text),
    close: (code, reason) => closes.push([code, reason]),
  })
  const heard = () => frames.map((text): Sent => JSON.parse(text))
  let id = 0
  return {
    ...connection,
    frames,
    closes,
    heard,
    messages: () => heard().flatMap(({ params }) => params?.data.message ?? []),
    pushes: () => heard().filter(({ method }) => method !== undefined),
    /** Sends a request and resolves to its response: the result or the tag of the error. */
    async call(method: string, params: unknown) {
      id += 1
      const mine = id
      await connection.receive(JSON.stringify({ id: mine, jsonrpc: '2.0', method, params }))
      const [answer, ...more] = heard().filter((frame) => frame.id === mine)
      expect(more).toEqual([])
      return answer?.error?.data ?? answer?.result
    },
    publish(message: string, on = topic) {
      return this.call('irn_publish', { topic: on, message, ttl: 300, tag: 1108 })
    },
    acknowledge: (pushId: number, rest = '"result":true') =>
      connection.receive(`{"id":${pushId},"jsonrpc":"2.0",${rest}}`),
  }
}

test('default: a message goes to each subscriber but the sender, who is answered first', async () => {
  const { connect } = setUp()
  const order: string[] = []
  const [alice, bob] = [connect('alice'), connect('bob')]
  const log = (name: string, frames: string[]) => {
    const push = frames.push.bind(frames)
    frames.push = (...texts) => {
      order.push(name)
      return push(...texts)
    }
  }
  await alice.call('irn_subscribe', { topic })
  const subscription = await bob.call('irn_subscribe', { topic })
  log('alice', alice.frames)
  log('bob', bob.frames)
  expect(await alice.publish('hello')).toBe(true)
  expect(order).toEqual(['alice', 'bob'])
  expect(alice.messages()).toEqual([])
  expect(bob.pushes()).toEqual([
    {
      id: 1_700_000_000_000_000,
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: {
        id: subscription,
        data: { topic, message: 'hello', publishedAt: 1_700_000_000_000, tag: 1108 },
      },
    },
  ])
})

test('behavior: the answer carries the id letter by letter', async () => {
  const alice = setUp().connect('alice')
  await alice.receive(
    `{"id":18446744073709551615,"jsonrpc":"2.0","method":"wc_createTopic","params":{"topic":"${topic}"}}`,
  )
  await alice.receive('{')
  expect(alice.frames).toMatchInlineSnapshot(`
    [
      "{"id":18446744073709551615,"jsonrpc":"2.0","result":true}",
      "{"id":0,"jsonrpc":"2.0","error":{"code":-32600,"message":"The frame is not valid JSON","data":"Serialization"}}",
    ]
  `)
})

test('behavior: what waits comes after the answer, oldest first, in the prefix of the client', async () => {
  const { connect } = setUp()
  const alice = connect('alice')
  for (const text of ['1', '2', '3']) await alice.publish(text)
  const bob = connect('bob')
  await bob.call('waku_batchSubscribe', { topics: [other, topic] })
  expect(bob.heard().map(({ method }) => method)).toEqual([
    undefined,
    ...Array(3).fill('waku_subscription'),
  ])
  expect(bob.messages()).toEqual(['1', '2', '3'])
})

test('behavior: one copy under way; not acknowledged it comes again, acknowledged never', async () => {
  const { clock, connect } = setUp()
  const [alice, bob] = [connect('alice'), connect('bob')]
  await bob.call('irn_subscribe', { topic })
  await alice.publish('1')
  await alice.publish('1')
  await bob.call('irn_subscribe', { topic })
  expect(bob.messages()).toEqual(['1'])

  clock.nowMs += 4_000
  await bob.call('irn_subscribe', { topic })
  expect(bob.messages()).toEqual(['1', '1'])

  bob.closed()
  const again = connect('bob')
  await again.call('irn_subscribe', { topic })
  expect(again.messages()).toEqual(['1'])
  await again.acknowledge(again.pushes()[0]?.id ?? 0, '"error":{"code":1,"message":"later"}')
  await again.call('irn_subscribe', { topic })
  expect(again.messages()).toEqual(['1', '1'])
  await again.acknowledge(again.pushes()[1]?.id ?? 0)

  const last = connect('bob')
  await last.call('irn_subscribe', { topic })
  expect(last.messages()).toEqual([])
})

test('behavior: publish and subscribe at once is one delivery, in order', async () => {
  const { connect } = setUp()
  const [alice, bob] = [connect('alice'), connect('bob')]
  const texts = Array.from({ length: 20 }, (_, index) => String(index))
  const work: Promise<unknown>[] = []
  for (const text of texts) {
    work.push(alice.publish(text))
    if (text === '7') work.push(bob.call('irn_subscribe', { topic }))
  }
  await Promise.all(work)
  expect(bob.messages()).toEqual(texts)
})

test('behavior: what arrives while a backlog is sent comes behind it', async () => {
  const memory = createMemoryMailbox({ now: () => 0 })
  const reads: (() => void)[] = []
  const { connect } = setUp({
    now: () => 0,
    mailbox: {
      ...memory,
      async readUnseen(clientId, topic) {
        const messages = await memory.readUnseen(clientId, topic)
        await new Promise<void>((resolve) => reads.push(resolve))
        return messages
      },
    },
  })
  const [alice, bob] = [connect('alice'), connect('bob')]
  await alice.publish('1')
  const subscribed = bob.call('irn_batchSubscribe', { topics: [other, topic] })
  for (const text of ['2', '3']) {
    await expect.poll(() => reads.length).toBe(1)
    await alice.publish(text)
    expect(bob.messages()).toEqual([])
    reads.pop()?.()
  }
  await subscribed
  expect(bob.messages()).toEqual(['1', '2', '3'])
})

test('behavior: acknowledged while its backlog is read again, nothing comes twice', async () => {
  const now = () => 1_700_000_000_000
  const memory = createMemoryMailbox({ now })
  const reads: (() => void)[] = []
  const relay = createRelay({
    now,
    report: () => {},
    mailbox: {
      ...memory,
      // Like over a network: the read is outdated when it arrives, because an acknowledgement is
      // recorded in between.
      async readUnseen(clientId, topic) {
        const messages = await memory.readUnseen(clientId, topic)
        await new Promise<void>((resolve) => reads.push(resolve))
        return messages
      },
      async acknowledge(...parameters) {
        await memory.acknowledge(...parameters)
      },
    },
  })
  const [alice, bob] = [connectClient(relay, 'alice'), connectClient(relay, 'bob')]
  for (const message of ['one', 'two', 'three']) await alice.publish(message)
  const twice = [bob.call('irn_subscribe', { topic }), bob.call('irn_subscribe', { topic })]
  const read = async () => {
    await expect.poll(() => reads.length).toBe(1)
    reads.pop()?.()
  }
  await read()
  await expect.poll(() => bob.messages()).toEqual(['one', 'two', 'three'])
  await expect.poll(() => reads.length).toBe(1)
  for (const { id } of bob.pushes()) bob.acknowledge(id)
  await read()
  await Promise.all(twice)
  expect(bob.messages()).toEqual(['one', 'two', 'three'])
  expect(await memory.readUnseen('bob', topic)).toEqual([])
})

test('behavior: frames of a closed socket: messages are stored, subscriptions take no room', async () => {
  const { connect } = setUp({ socketsPerTopic: 1 })
  const [alice, bob] = [connect('alice'), connect('bob')]
  // After work that takes time, because a single publish would be done at once.
  const last = Promise.all([
    bob.call('irn_unsubscribe', { topic: other }),
    bob.publish('1'),
    bob.call('irn_subscribe', { topic }),
  ])
  bob.closed()
  await last
  expect(bob.frames).toEqual([])
  await alice.call('irn_subscribe', { topic })
  expect(alice.messages()).toEqual(['1'])
})

test('behavior: a proposal subscribes its sender and waits for the wallet that only fetches', async () => {
  const { connect } = setUp()
  const [dapp, wallet] = [connect('dapp'), connect('wallet')]
  const proposal = { pairingTopic: topic, sessionProposal: 'propose', ttl: 300, correlationId: 1 }
  expect(await dapp.call('wc_proposeSession', proposal)).toBe(true)
  expect(await wallet.call('irn_fetchMessages', { topic })).toEqual({
    messages: [{ topic, message: 'propose', publishedAt: 1_700_000_000_000, tag: 1100 }],
    hasMore: false,
  })
  expect(await wallet.call('irn_fetchMessages', { topic })).toEqual({
    messages: [],
    hasMore: false,
  })

  const approval = {
    pairingTopic: topic,
    sessionTopic: other,
    sessionProposalResponse: 'response',
    sessionSettlementRequest: 'settle',
  }
  expect(await wallet.call('wc_approveSession', approval)).toBe(true)
  expect(dapp.messages()).toEqual(['response'])
  await dapp.call('irn_subscribe', { topic: other })
  expect(dapp.pushes().map(({ params }) => params?.data)).toMatchObject([
    { tag: 1101 },
    { topic: other, tag: 1102, message: 'settle' },
  ])
  await dapp.publish('request', other)
  expect(wallet.messages()).toEqual(['request'])
  expect(await wallet.call('wc_approveSession', approval)).toBe(true)
  expect(dapp.pushes()).toHaveLength(2)
})

test('behavior: subscriptions outlive the socket, for clients that do not ask again', async () => {
  const { clock, relay, connect } = setUp()
  const bob = connect('bob')
  await bob.call('irn_subscribe', { topic })
  bob.closed()
  await connect('alice').publish('1')
  const again = connect('bob')
  await relay.tick()
  expect(again.messages()).toEqual([])
  clock.nowMs += 1_000
  await relay.tick()
  await relay.tick()
  expect(again.messages()).toEqual(['1'])
  await again.call('waku_subscribe', { topic: other })
  const late = connect('bob')
  await late.call('waku_subscribe', { topic })
  clock.nowMs += 1_000
  await relay.tick()
  expect(late.pushes()).toMatchObject([{ method: 'waku_subscription' }])
  await connect('alice').publish('late')
  expect(late.pushes()[1]).toMatchObject({ method: 'waku_subscription' })
  late.closed()
  await again.call('irn_unsubscribe', { topic, id: 'anything' })
  await connect('alice').publish('2')
  expect(again.messages()).toEqual(['1', 'late'])
})

test('param: method: the other forms', async () => {
  const { connect } = setUp()
  const [alice, bob] = [connect('alice'), connect('bob')]
  const ids = await bob.call('irn_batchSubscribe', { topics: [topic, other, topic] })
  expect(ids).toEqual([
    await bob.call('irn_subscribe', { topic }),
    await bob.call('irn_subscribeBlocking', { topic: other }),
    await bob.call('irn_subscribe', { topic }),
  ])
  expect(await bob.call('irn_batchSubscribeBlocking', { topics: [other] })).toEqual([
    { id: await bob.call('irn_subscribe', { topic: other }) },
  ])
  const messages = [
    { topic, message: '1', ttl: 60, tag: 1, attestation: 'jwt' },
    { topic: other, message: '2', ttl: 60 },
  ]
  expect(await alice.call('irn_batchPublish', { messages })).toBe(true)
  expect(bob.pushes().map(({ params }) => params?.data)).toMatchObject([
    { message: '1', attestation: 'jwt', tag: 1 },
    { message: '2', tag: 0 },
  ])
  const receipts = [{ topic, message_id: getMessageId('1') }]
  expect(await bob.call('irn_batchReceive', { receipts })).toBe(true)
  expect(await bob.call('irn_batchFetchMessages', { topics: [topic, other] })).toMatchObject({
    messages: [{ message: '2' }],
  })
  const subscriptions = [{ topic }, { topic: other, id: 7 }]
  expect(await bob.call('irn_batchUnsubscribe', { subscriptions })).toBe(true)
  await alice.publish('3', other)
  expect(bob.pushes()).toHaveLength(2)
})

test('behavior: a long backlog is fetched in parts', async () => {
  const { connect } = setUp()
  const [alice, bob] = [connect('alice'), connect('bob')]
  for (let index = 0; index < 250; index++) await alice.publish(String(index))
  expect(await bob.call('irn_fetchMessages', { topic })).toMatchObject({ hasMore: true })
  const rest = await bob.call('irn_fetchMessages', { topic })
  expect(rest).toMatchObject({ hasMore: false })
  expect(rest).toHaveProperty('messages.length', 50)
  expect(rest).toHaveProperty('messages.0.message', '200')
})

test('param: rate: too many frames end the connection; answers to pushes are free', async () => {
  const { clock, connect } = setUp({ rate: { capacity: 3, refillPerSecond: 1 } })
  const [alice, bob] = [connect('alice'), connect('bob')]
  await bob.call('irn_subscribe', { topic })
  for (const text of ['1', '2', '3']) await alice.publish(text)
  clock.nowMs += 1_000
  expect(await alice.publish('4')).toBe(true)
  for (const { id } of bob.pushes()) await bob.acknowledge(id)
  await bob.publish('5')
  expect(bob.closes).toEqual([])
  await alice.receive('garbage')
  expect(await alice.publish('6')).toBeUndefined()
  expect(alice.closes).toEqual([[1013, 'TooManyRequests']])
  expect(bob.messages()).toEqual(['1', '2', '3', '4'])
})

test('param: rate: every ten messages of a batch cost as much as a frame', async () => {
  const batch = (length: number, from = 0) => ({
    messages: Array.from({ length }, (_, index) => ({
      topic,
      message: `${from + index}`,
      ttl: 60,
    })),
  })
  const { connect } = setUp({ rate: { capacity: 3, refillPerSecond: 0 } })
  const [few, many] = [connect('few'), connect('many')]
  for (const from of [0, 10, 20])
    expect(await few.call('irn_batchPublish', batch(10, from))).toBe(true)
  expect(await many.call('irn_batchPublish', batch(30))).toBe(true)
  for (const client of [few, many]) {
    expect(client.closes).toEqual([])
    expect(await client.publish('more')).toBeUndefined()
    expect(client.closes).toEqual([[1013, 'TooManyRequests']])
  }
})

test('param: rate: unrequested answers count', async () => {
  const bob = setUp({ rate: { capacity: 2, refillPerSecond: 0 } }).connect('bob')
  for (const pushId of [1, 2]) await bob.acknowledge(pushId)
  expect(bob.closes).toEqual([])
  await bob.acknowledge(3)
  expect(bob.closes).toEqual([[1013, 'TooManyRequests']])
})

test('error: limits are reported by their tags', async () => {
  const { connect } = setUp(
    { socketsPerTopic: 1 },
    { messagesPerTopic: 1, subscriptionsPerClient: 2 },
  )
  const [alice, bob] = [connect('alice'), connect('bob')]
  expect(await alice.publish('1')).toBe(true)
  expect(await alice.publish('2')).toBe('MailboxLimitExceeded')
  expect(await alice.publish('1')).toBe(true)
  await bob.call('irn_subscribe', { topic })
  expect(await alice.call('irn_subscribe', { topic })).toBe('SubscriberLimitExceeded')
  expect(await alice.call('wc_createTopic', { topic })).toBe('SubscriberLimitExceeded')
  const topics = [topic, other, 'ef'.repeat(32), '01'.repeat(32)]
  expect(await bob.call('irn_batchSubscribe', { topics })).toBe('SubscriberLimitExceeded')
  expect(await bob.call('irn_batchSubscribeBlocking', { topics })).toMatchObject([
    { id: expect.any(String) },
    { id: expect.any(String) },
    { error: { data: 'SubscriberLimitExceeded' } },
    { error: { data: 'SubscriberLimitExceeded' } },
  ])
  bob.closed()
  expect(await alice.call('irn_subscribe', { topic })).toEqual(expect.any(String))
})

test('behavior: in a batch a full topic waits for room, and the others are delivered at once', async () => {
  const { connect, relay } = setUp({ socketsPerTopic: 1 })
  const [alice, bob, crowd] = [connect('alice'), connect('bob'), connect('crowd')]
  await crowd.call('irn_subscribe', { topic })
  await alice.publish('before')
  const ids = await bob.call('irn_batchSubscribe', { topics: [topic, other] })
  expect(ids).toEqual([
    await bob.call('irn_subscribe', { topic }),
    await bob.call('irn_subscribe', { topic: other }),
  ])
  await alice.publish('1', other)
  await alice.publish('2')
  await relay.tick()
  expect(bob.messages()).toEqual(['before', '1'])
  for (const { id } of bob.pushes()) await bob.acknowledge(id)
  crowd.closed()
  await relay.tick()
  await bob.settled()
  expect(bob.messages()).toEqual(['before', '1', '2'])
  await alice.publish('3')
  expect(bob.messages()).toEqual(['before', '1', '2', '3'])
})

test('behavior: who leaves, or is gone, waits no longer; those who stay come in', async () => {
  const { connect, relay } = setUp({ socketsPerTopic: 1 })
  const names = ['crowd', 'leaves', 'gone', 'stays', 'later'] as const
  const clients = names.map((name) => connect(name))
  for (const client of clients) await client.call('irn_batchSubscribe', { topics: [topic] })
  const [crowd, leaves, gone, stays, later] = clients
  await leaves?.call('irn_unsubscribe', { topic })
  gone?.closed()
  crowd?.closed()
  await relay.tick()
  await connect('alice').publish('1')
  expect(clients.map((client) => client.messages())).toEqual([[], [], [], ['1'], []])
  stays?.closed()
  await relay.tick()
  await later?.settled()
  expect(later?.messages()).toEqual(['1'])
  later?.closed()
  expect(relay.size()).toEqual({ topics: 0, subscriptions: 0 })
})

test('behavior: a subscription of a former socket waits for room too', async () => {
  const { clock, connect, relay } = setUp({ socketsPerTopic: 1 })
  const bob = connect('bob')
  await bob.call('irn_subscribe', { topic })
  bob.closed()
  const crowd = connect('crowd')
  await crowd.call('irn_subscribe', { topic })
  const again = connect('bob')
  clock.nowMs += 1_000
  await relay.tick()
  await connect('alice').publish('1')
  expect(again.messages()).toEqual([])
  crowd.closed()
  await relay.tick()
  await again.settled()
  expect(again.messages()).toEqual(['1'])
})

test('error: a mailbox that fails is answered for, once, and the connection continues', async () => {
  const mailbox = createMemoryMailbox({ now: () => 0 })
  const down = () => Promise.reject(new Error('down'))
  const broken = setUp({ mailbox: { ...mailbox, publish: down, readUnseen: down } })
  const alice = broken.connect('alice')
  expect(await alice.publish('1')).toBe('PublishFailed')
  expect(await alice.call('irn_fetchMessages', { topic })).toBe('Internal')
  expect(await alice.call('irn_subscribe', { topic })).toEqual(expect.any(String))
  expect(await alice.call('irn_unsubscribe', { topic })).toBe(true)
  expect(broken.reported).toHaveLength(3)
})

test('behavior: stopping disconnects all clients', async () => {
  const { relay, connect } = setUp()
  const bob = connect('bob')
  await bob.call('irn_subscribe', { topic })
  relay.stop()
  expect(bob.closes).toEqual([[1001, 'The relay is stopping']])
  expect(await bob.call('irn_subscribe', { topic })).toBeUndefined()
})

test('behavior: a client that never acknowledges leaves nothing behind', async () => {
  const { clock, mailbox, relay, connect } = setUp({ rate: { capacity: 1, refillPerSecond: 0 } })
  const [alice, bob] = [connect('alice'), connect('bob')]
  await bob.call('irn_subscribe', { topic })
  await alice.publish('1')
  const pushId = bob.pushes()[0]?.id ?? 0
  clock.nowMs += 320_000
  await relay.tick()
  expect(mailbox.size()).toMatchObject({ messages: 0 })
  expect(bob.messages()).toEqual(['1'])
  await bob.acknowledge(pushId)
  expect(bob.closes).toEqual([[1013, 'TooManyRequests']])
})

test('behavior: with any frames of clients, each gets each message of others once, and nothing throws', async () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const topics = fc.constantFrom(topic, other)
  const step = fc.record({
    client: name,
    topic: topics,
    kind: fc.constantFrom('publish', 'subscribe', 'ack', 'noise', 'unsubscribe'),
    text: fc.string({ minLength: 1, maxLength: 3 }),
    noise: fc.oneof(
      fc.string(),
      fc.jsonValue().map((json) => JSON.stringify(json)),
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
      const { connect, reported } = setUp()
      const clients = { a: connect('a'), b: connect('b'), c: connect('c') }
      const published: string[] = []
      for (const [index, { client, topic, kind, text, noise }] of steps.entries()) {
        const from = clients[client]
        const message = `${client}${index}${text}`
        if (kind === 'noise') await from.receive(noise)
        else if (kind === 'ack') await from.acknowledge(from.pushes().at(-1)?.id ?? 5)
        else if (kind !== 'publish') await from.call(`irn_${kind}`, { topic })
        else if ((await from.publish(message, topic)) === true) published.push(message)
      }
      for (const [client, { call, messages, heard }] of Object.entries(clients)) {
        await call('irn_batchSubscribe', { topics: [topic, other] })
        const due = published.filter((message) => !message.startsWith(client))
        expect(messages().toSorted()).toEqual(due.toSorted())
        const ids = heard().flatMap(({ id, method }) => (method ? [id] : []))
        expect(ids.every((id) => Number.isSafeInteger(id) && id >= 1e9)).toBe(true)
      }
      expect(reported).toEqual([])
    }),
  )
})
