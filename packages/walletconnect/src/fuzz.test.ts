import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import {
  calm,
  events,
  settleTestSession,
  setUp,
  testAccount,
  testApproval,
  testMethods,
  testRequirements,
} from '../test/testingClients.ts'
import { sealEnvelope } from './crypto/crypto.ts'
import { openRecords } from './records.ts'

let world: ReturnType<typeof setUp>
afterEach(() => world.close())

const chains = ['1', '10', '137'].map((reference) => testAccount.replace(':1:', `:${reference}:`))
const getNamespaces = (count: number) => ({
  eip155: { accounts: chains.slice(0, count), methods: testMethods, events },
})

/** One action between two peers. The protocol repeats what fails because of the relay. */
const step = fc.oneof(
  fc.record({ do: fc.constant('update' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('emit' as const), value: fc.integer() }),
  fc.record({ do: fc.constantFrom('extend', 'request', 'ping', 'calm', 'offer') }),
  fc.record({ do: fc.constantFrom('reloadDapp', 'reloadWallet', 'sleep', 'wake', 'cut', 'join') }),
  fc.record({
    do: fc.constant('relay' as const),
    settings: fc.record({
      isOlder: fc.boolean(),
      pushDelayMs: fc.constantFrom(0, 0, 3),
      pushesFirst: fc.boolean(),
      reorders: fc.boolean(),
      duplicates: fc.boolean(),
      losesAcks: fc.boolean(),
    }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('behavior: after any faults on the way, both sides agree and get each event once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      world = setUp()
      const { relay, clock } = world
      const sides = { dapp: await world.dapp(), wallet: await world.wallet() }
      const { topic } = (await settleTestSession(sides.dapp, sides.wallet)).session
      const heard = { dapp: [...sides.dapp.heard], wallet: [...sides.wallet.heard] }
      const asks: Promise<unknown>[] = []
      const later = (promise: Promise<unknown>) => {
        promise.catch(() => {})
        asks.push(promise)
      }
      const reload = async (side: 'dapp' | 'wallet') => {
        sides[side].close()
        heard[side].push(...sides[side].heard.splice(0))
        if (side === 'dapp') sides.dapp = await world.dapp(sides.dapp.storage)
        else sides.wallet = await world.wallet(sides.wallet.storage)
      }
      heard.dapp.length = 0
      heard.wallet.length = 0
      const take = async (one: Step) => {
        clock.nowMs += 7
        const { dapp, wallet } = sides
        if (one.do === 'update' && 'count' in one)
          later(wallet.update(topic, getNamespaces(one.count)))
        if (one.do === 'emit' && 'value' in one)
          later(wallet.emit(topic, { chainId: 'eip155:1', name: 'chainChanged', data: one.value }))
        if (one.do === 'extend') later(wallet.extend(topic))
        if (one.do === 'request')
          later(dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }))
        if (one.do === 'ping') later(dapp.ping(topic))
        if (one.do === 'offer')
          later(
            dapp
              .connect({ optionalNamespaces: testRequirements })
              .then(({ uri }) => wallet.pair(uri)),
          )
        if (one.do === 'calm') await calm(5)
        if (one.do === 'reloadDapp') await reload('dapp')
        if (one.do === 'reloadWallet') await reload('wallet')
        if (one.do === 'cut') relay.disconnect()
        if (one.do === 'join') relay.connect()
        if ('settings' in one) Object.assign(relay.settings, one.settings)
      }
      for (const one of steps) await take(one)
      relay.connect()
      Object.assign(relay.settings, { losesAcks: false, duplicates: false, reorders: false })
      await calm(60)
      await reload('dapp')
      await reload('wallet')
      await calm(60)
      for (const proposal of sides.wallet.proposals())
        await sides.wallet.approve(proposal.id, { namespaces: testApproval })
      for (const { id, topic: at } of sides.wallet.requests())
        await sides.wallet.respond(at, id, { result: 1 })
      await calm(60)

      const told = (side: 'dapp' | 'wallet') =>
        [...heard[side], ...sides[side].heard].map((entry) => JSON.stringify(entry))
      const held = (side: 'dapp' | 'wallet') =>
        sides[side]
          .sessions()
          .map(({ topic: at, namespaces, expirySeconds }) => ({ at, namespaces, expirySeconds }))
          .sort((one, other) => (one.at < other.at ? -1 : 1))
      expect(held('dapp')).toEqual(held('wallet'))
      expect(held('dapp').length).toBeGreaterThan(0)
      const once = [
        'session_connect',
        'session_request',
        'session_proposal',
        'session_acknowledged',
      ]
      for (const side of ['dapp', 'wallet'] as const) {
        const unique = told(side).filter((entry) =>
          once.some((name) => entry.startsWith(`["${name}"`)),
        )
        expect(new Set(unique).size).toBe(unique.length)
      }
      const emitted = steps.filter((one) => one.do === 'emit').length
      const got = told('dapp').filter((entry) => entry.startsWith('["session_event"'))
      expect(got.length).toBeLessThanOrEqual(emitted)
      world.close()
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

const rpcId = fc.oneof(fc.nat(), fc.maxSafeInteger(), fc.string(), fc.constant(null))
const knownMethods = [
  'wc_sessionPropose',
  'wc_sessionSettle',
  'wc_sessionUpdate',
  'wc_sessionExtend',
  'wc_sessionRequest',
  'wc_sessionEvent',
  'wc_sessionDelete_',
  'wc_sessionPing',
  'wc_sessionAuthenticate',
  'wc_pairingPing',
  'wc_unknown',
  'toString',
]
const message = fc.oneof(
  fc.jsonValue(),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: rpcId,
    method: fc.constantFrom(...knownMethods),
    params: fc.oneof(
      fc.jsonValue(),
      fc.constant({ namespaces: {} }),
      fc.constant({ expiry: 9e12 }),
      fc.constant({ request: { method: 'eth_foo' }, chainId: 'eip155:1' }),
      fc.constant({
        request: { method: 'personal_sign', expiryTimestamp: 1 },
        chainId: 'eip155:1',
      }),
      fc.constant({ event: { name: 'other' }, chainId: 'eip155:1' }),
    ),
  }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: rpcId, result: fc.jsonValue() }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: rpcId,
    error: fc.record({ code: fc.integer(), message: fc.string() }),
  }),
)

test('behavior: any message, sealed with any key, on any topic, changes nothing', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  const offered = await dapp.connect({ optionalNamespaces: testRequirements })
  await wallet.pair(offered.uri)
  await calm()
  const records = openRecords(dapp.storage.tab())
  const outsider = world.relay.createRelay({
    url: 'wss://relay.test',
    identity: { publicKey: 'outsider', privateKey: '' },
    now: () => world.clock.nowMs,
    onMessage: async () => {},
  })
  const key = records.sessions.get(session.topic)?.key ?? ''
  const pairingKey = records.pairings.get(offered.pairingTopic)?.key ?? ''
  const before = JSON.stringify([dapp.sessions(), wallet.sessions(), wallet.proposals()])
  dapp.heard.length = 0
  wallet.heard.length = 0
  await fc.assert(
    fc.asyncProperty(
      message,
      fc.constantFrom(
        { topic: session.topic, key },
        { topic: session.topic, key: pairingKey },
        { topic: offered.pairingTopic, key },
      ),
      async (json, { topic, key: sealedWith }) => {
        const text = sealEnvelope(JSON.stringify(json), { type: 0, key: sealedWith })
        await outsider.publish({ topic, message: text, tag: 0, ttl: 300, prompt: false })
      },
    ),
    { numRuns: 300 },
  )
  await calm(100)
  expect(JSON.stringify([dapp.sessions(), wallet.sessions(), wallet.proposals()])).toBe(before)
  const names = [...dapp.heard, ...wallet.heard].map(([name]) => name)
  expect(names.filter((name) => name !== 'session_ping')).toEqual([])
  expect(wallet.requests()).toEqual([])
  // Lists with a maximum length keep it, and the session still works.
  expect((records.seen.get(session.topic) ?? []).length).toBeLessThanOrEqual(1000)
  await Promise.all([dapp.ping(session.topic), wallet.ping(session.topic)])
})

test('behavior: each side keeps to its role, and stale messages are dropped', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  const { topic } = session
  await calm()
  const key = openRecords(dapp.storage.tab()).sessions.get(topic)?.key ?? ''
  const id = world.clock.nowMs * 1000
  const outsider = world.relay.createRelay({
    url: 'wss://relay.test',
    identity: { publicKey: 'outsider', privateKey: '' },
    now: () => world.clock.nowMs,
    onMessage: async () => {},
  })
  const say = async (rpcId: number, method: string, params: unknown) => {
    const text = JSON.stringify({ id: rpcId, jsonrpc: '2.0', method, params })
    const sealed = sealEnvelope(text, { type: 0, key })
    await outsider.publish({ topic, message: sealed, tag: 0, ttl: 300, prompt: false })
  }
  await wallet.update(topic, getNamespaces(2))
  await calm()
  dapp.heard.length = 0
  wallet.heard.length = 0
  // A message older than the update, an app's request sent to the app, and a wallet's message sent
  // to the wallet.
  await say(id - 9_000_000, 'wc_sessionUpdate', { namespaces: getNamespaces(3) })
  await say(id + 1, 'wc_sessionRequest', {
    request: { method: 'personal_sign', params: [], expiryTimestamp: 1 },
    chainId: 'eip155:1',
  })
  await say(id + 2, 'wc_sessionEvent', { event: { name: 'other', data: 1 }, chainId: 'eip155:1' })
  await calm()
  expect([dapp.heard, wallet.heard]).toEqual([[], []])
  for (const { sessions } of [dapp, wallet])
    expect(sessions()).toMatchObject([{ namespaces: getNamespaces(2) }])
  for (const { storage } of [dapp, wallet]) expect(storage.entries.size).toBeLessThan(20)
})

test('behavior: a relay that repeats, reorders, reflects and confuses topics changes nothing', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  const { topic } = session
  const other = await settleTestSession(dapp, wallet)
  const signed = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  await calm()
  await wallet.respond(topic, wallet.requests()[0]?.id ?? 0, { result: 1 })
  await signed
  await wallet.update(topic, getNamespaces(3))
  await wallet.emit(topic, { chainId: 'eip155:1', name: 'chainChanged', data: 10 })
  await wallet.update(topic, getNamespaces(2))
  await wallet.extend(topic)
  await dapp.ping(topic)
  await dapp.disconnect(other.session.topic)
  await calm()
  const before = JSON.stringify([dapp.sessions(), wallet.sessions()])
  dapp.heard.length = 0
  wallet.heard.length = 0
  const said = [...world.relay.published]
  const topics = [...new Set(said.map((one) => one.topic))]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...said),
      fc.option(fc.constantFrom(...topics), { nil: undefined }),
      async ({ topic: own, message: text, tag }, to) => {
        const publishedAtMs = world.clock.nowMs
        await world.deliver({ topic: to ?? own, message: text, tag, publishedAtMs })
      },
    ),
    { numRuns: 400 },
  )
  await calm()
  expect([dapp.heard, wallet.heard]).toEqual([[], []])
  expect(JSON.stringify([dapp.sessions(), wallet.sessions()])).toBe(before)
  expect(world.relay.published).toHaveLength(said.length)
})

test('behavior: the echo of a ping is not a response', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { topic } = (await settleTestSession(dapp, wallet)).session
  await calm()
  wallet.close()
  let isAnswered = false
  void dapp.ping(topic).then(
    () => {
      isAnswered = true
    },
    () => {},
  )
  await calm()
  for (const { topic: at, message: text, tag } of [...world.relay.published])
    await world.deliver({ topic: at, message: text, tag, publishedAtMs: world.clock.nowMs })
  await calm()
  expect([isAnswered, dapp.heard.map(([name]) => name)]).toEqual([false, ['session_connect']])
})
