import { afterEach, expect, test } from 'vitest'
import {
  calm,
  next,
  settleTestSession,
  setUp,
  testApproval,
  testRequirements,
} from '../test/testingClients.ts'
import { createTestStorage } from '../test/testingStorage.ts'

let world: ReturnType<typeof setUp>
afterEach(() => world.close())

const names = (heard: readonly [string, unknown][]) => heard.map(([name]) => name)

test('behavior: a page that reloads while the wallet decides gets its session', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri } = await dapp.connect({ optionalNamespaces: testRequirements })
  const proposed = next<{ proposal: { id: number } }>((on) => wallet.on('session_proposal', on))
  await wallet.pair(uri)
  const { proposal } = await proposed
  dapp.close()
  await wallet.approve(proposal.id, { namespaces: testApproval })
  await calm()
  const again = await world.dapp(dapp.storage)
  await calm()
  expect(names(again.heard)).toEqual(['session_connect'])
  const [session] = again.sessions()
  await again.ping(session?.topic ?? '')
  expect(wallet.sessions()).toMatchObject([{ topic: session?.topic, isAcknowledged: true }])
})

test('behavior: a wallet still shows its pending requests after a reload', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  const { topic } = session
  const result = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  const offered = await dapp.connect({ optionalNamespaces: testRequirements })
  await wallet.pair(offered.uri)
  await calm()
  wallet.close()
  const again = await world.wallet(wallet.storage)
  const [request] = again.requests()
  const [proposal] = again.proposals()
  await again.respond(topic, request?.id ?? 0, { result: '0x1' })
  expect(await result).toBe('0x1')
  await again.approve(proposal?.id ?? 0, { namespaces: testApproval })
  await offered.approval
  await calm()
  expect(again.sessions()).toHaveLength(2)
  expect(names(again.heard)).toEqual(['session_connect', 'session_acknowledged'])
})

test('behavior: messages that a wallet could not send before its page closed are sent by the next page', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  const { topic } = session
  const result = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  await calm()
  const [request] = wallet.requests()
  world.relay.disconnect()
  const responded = expect(
    wallet.respond(topic, request?.id ?? 0, { result: 'late' }),
  ).rejects.toMatchObject({ code: 'ABORTED' })
  wallet.close()
  await responded
  world.relay.connect()
  await world.wallet(wallet.storage)
  expect(await result).toBe('late')
})

test('behavior: two tabs get each event once, no matter which tab acts', async () => {
  world = setUp()
  const wallet = await world.wallet()
  const storage = createTestStorage()
  const [one, other] = [await world.dapp(storage), await world.dapp(storage)]
  const { session } = await settleTestSession(one, wallet)
  const { topic } = session
  await calm()
  for (const tab of [one, other]) expect(names(tab.heard)).toEqual(['session_connect'])
  expect(other.sessions()).toEqual([session])

  await wallet.emit(topic, { chainId: 'eip155:1', name: 'chainChanged', data: 1 })
  await wallet.update(topic, testApproval)
  await calm()
  const asks = next<{ request: { id: number } }>((on) => wallet.on('session_request', on))
  const result = other.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  await wallet.respond(topic, (await asks).request.id, { result: 'for the other' })
  expect(await result).toBe('for the other')
  await Promise.all([one.ping(topic), other.ping(topic)])
  await one.disconnect(topic)
  await calm()
  expect(names(one.heard)).toEqual(['session_connect', 'session_event', 'session_update'])
  expect(names(other.heard)).toEqual([...names(one.heard), 'session_delete'])
  expect([one.sessions(), other.sessions(), wallet.sessions()]).toEqual([[], [], []])
  expect([...storage.entries.keys()].filter((key) => key.includes(topic))).toEqual([])
})

test('behavior: one tab waits for a response that only another tab receives', async () => {
  world = setUp()
  const wallet = await world.wallet()
  const storage = createTestStorage()
  const [one, other] = [await world.dapp(storage), await world.dapp(storage)]
  const { session } = await settleTestSession(one, wallet)
  const { topic } = session
  await calm()
  const asks = next<{ request: { id: number } }>((on) => wallet.on('session_request', on))
  const result = one.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  const { id } = (await asks).request
  // Like a relay that delivers the response to the first connected socket.
  world.relay.settings.pushDelayMs = 5
  await wallet.respond(topic, id, { result: 1 })
  expect(await result).toBe(1)
  await calm()
  expect([...storage.entries.keys()].filter((key) => /^(call|answer)\//.test(key))).toEqual([])
  expect(other.sessions()).toHaveLength(1)
})

test('behavior: a settlement arrives before the response with its topic', async () => {
  world = setUp()
  const storage = createTestStorage()
  const [one, other, wallet] = [
    await world.dapp(storage),
    await world.dapp(storage),
    await world.wallet(),
  ]
  const { uri, approval } = await one.connect({ optionalNamespaces: testRequirements })
  await wallet.pair(uri)
  await calm()
  const { publicKey } = JSON.parse(storage.entries.get('identity/') ?? '{}') as {
    publicKey: string
  }
  world.relay.disconnect(publicKey)
  await wallet.approve(wallet.proposals()[0]?.id ?? 0, { namespaces: testApproval })
  // Delivers to both tabs in the wrong order. A tab acknowledges the message after it can identify
  // it.
  const deliver = async (wanted: number) => {
    const message = world.relay.published.find(({ tag }) => tag === wanted)
    if (message) await world.deliver({ ...message, publishedAtMs: world.clock.nowMs })
  }
  let isAcknowledged = false
  const settling = deliver(1102).then(() => {
    isAcknowledged = true
  })
  await calm()
  expect([isAcknowledged, one.heard]).toEqual([false, []])
  await deliver(1101)
  const { topic } = await approval
  await settling
  world.relay.connect()
  await calm()
  for (const tab of [one, other]) expect(names(tab.heard)).toEqual(['session_connect'])
  await other.ping(topic)
})

test('behavior: two tabs of a wallet; one approves', async () => {
  world = setUp()
  const storage = createTestStorage()
  const dapp = await world.dapp()
  const [one, other] = [await world.wallet(storage), await world.wallet(storage)]
  const { session } = await settleTestSession(dapp, one)
  await calm()
  expect(names(one.heard)).toEqual(['session_proposal', 'session_connect', 'session_acknowledged'])
  expect(names(other.heard)).toEqual(names(one.heard))
  await dapp.disconnect(session.topic)
  await calm()
  expect(names(one.heard).at(-1)).toBe('session_delete')
  expect(names(other.heard)).toEqual(names(one.heard))
})

test('behavior: unreadable stored entries are dropped', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  await settleTestSession(dapp, wallet)
  await calm()
  for (const spoil of [() => '{', () => 'null', () => '[]', (text: string) => text.slice(1)]) {
    const storage = createTestStorage(dapp.storage.entries)
    for (const [key, text] of storage.entries) storage.entries.set(key, spoil(text))
    const again = await world.dapp(storage)
    expect(again.sessions()).toEqual([])
    await settleTestSession(again, wallet)
    expect(again.sessions()).toHaveLength(1)
  }
})
