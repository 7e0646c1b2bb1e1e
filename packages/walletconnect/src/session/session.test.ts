import { afterEach, expect, test, vi } from 'vitest'
import {
  calm,
  events,
  next,
  settleTestSession,
  setUp,
  testAccount,
  testApproval,
  testMethods,
  testRequirements,
} from '../../test/testingClients.ts'

let world: ReturnType<typeof setUp>
afterEach(() => {
  world.close()
  vi.useRealTimers()
})

/** Settles a session and collects its events from then on. */
async function openSession() {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  await calm()
  dapp.heard.length = 0
  wallet.heard.length = 0
  return { ...world, dapp, wallet, topic: session.topic }
}

const toFake: ('setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval')[] = [
  'setTimeout',
  'clearTimeout',
]

// The cryptography takes real time, and fake timers do not wait for it.
async function run<Value>(promise: Promise<Value>): Promise<Value> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  promise.then(done, done)
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(5)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return promise
}

const more = {
  eip155: {
    accounts: [testAccount, testAccount.replace(':1:', ':137:')],
    methods: testMethods,
    events,
  },
}

test('behavior: an update replaces the namespaces on both sides', async () => {
  const { dapp, wallet, topic } = await openSession()
  await wallet.update(topic, more)
  await calm()
  expect(dapp.heard).toEqual([['session_update', { topic, namespaces: more }]])
  for (const { sessions } of [dapp, wallet])
    expect(sessions()).toMatchObject([{ namespaces: more }])
  await expect(wallet.update(topic, {})).rejects.toThrowErrorMatchingInlineSnapshot(
    `[LatchkeyError: Non conforming namespaces. update() User rejected. Namespaces must not be empty]`,
  )
})

test('behavior: an extension moves the end on both sides', async () => {
  const { dapp, wallet, topic, clock } = await openSession()
  clock.nowMs += 86_400_000
  await wallet.extend(topic)
  await calm()
  const expirySeconds = 1_700_000_000 + 8 * 86_400
  expect(dapp.heard).toEqual([['session_extend', { topic, expirySeconds }]])
  for (const { sessions } of [dapp, wallet]) expect(sessions()).toMatchObject([{ expirySeconds }])
})

test('behavior: an event arrives, and the app sends no response', async () => {
  const { dapp, wallet, topic, relay } = await openSession()
  const before = relay.published.length
  await wallet.emit(topic, { chainId: 'eip155:1', name: 'chainChanged', data: 137 })
  await calm()
  expect(dapp.heard).toEqual([
    ['session_event', { topic, chainId: 'eip155:1', name: 'chainChanged', data: 137 }],
  ])
  expect(relay.published.slice(before).map(({ tag }) => tag)).toEqual([1110])
  await expect(
    wallet.emit(topic, { chainId: 'eip155:1', name: 'other', data: 1 }),
  ).rejects.toMatchObject({ code: 'MISSING_OR_INVALID' })
  await expect(
    wallet.emit(topic, { chainId: 'eip155:5', name: 'chainChanged', data: 1 }),
  ).rejects.toMatchObject({ code: 'CHAIN_NOT_APPROVED' })
})

test('behavior: a ping from each side', async () => {
  const { dapp, wallet, topic } = await openSession()
  await Promise.all([dapp.ping(topic), wallet.ping(topic)])
  expect([dapp.heard, wallet.heard]).toEqual([
    [['session_ping', { topic }]],
    [['session_ping', { topic }]],
  ])
})

test('error: a ping without a response expires', async () => {
  const { dapp, wallet, topic } = await openSession()
  wallet.close()
  vi.useFakeTimers({ toFake })
  const ping = expect(dapp.ping(topic)).rejects.toMatchObject({ code: 'TIMEOUT' })
  await vi.advanceTimersByTimeAsync(30_000)
  await ping
})

test('behavior: a session that ends on one side ends on the other, and pending calls are rejected', async () => {
  const { dapp, wallet, topic } = await openSession()
  const waiting = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  const rejected = expect(waiting).rejects.toMatchObject({ code: 'USER_DISCONNECTED' })
  await calm()
  expect(wallet.requests()).toHaveLength(1)
  await wallet.disconnect(topic)
  await rejected
  await calm()
  expect([dapp.sessions(), wallet.sessions(), wallet.requests()]).toEqual([[], [], []])
  const reason = { code: 6000, message: 'User disconnected.' }
  expect(dapp.heard).toEqual([['session_delete', { topic, reason }]])
  expect(wallet.heard.map(([name]) => name)).toEqual(['session_request'])
  // Nothing is left of the session: no mark, request or response.
  const left = [...dapp.storage.entries.keys(), ...wallet.storage.entries.keys()]
  expect(left.filter((key) => key.includes(topic))).toEqual([])
  await expect(dapp.ping(topic)).rejects.toThrow(
    `No matching key. session topic doesn't exist: ${topic}`,
  )
})

test('behavior: a session that ends without a relay ends here at once; the peer is notified later', async () => {
  const { dapp, wallet, topic, relay } = await openSession()
  relay.disconnect()
  vi.useFakeTimers({ toFake })
  const ended = dapp.disconnect(topic)
  expect(dapp.sessions()).toEqual([])
  await vi.advanceTimersByTimeAsync(3000)
  await ended
  vi.useRealTimers()
  dapp.close()
  const again = await world.dapp(dapp.storage)
  expect(wallet.sessions()).toHaveLength(1)
  relay.connect()
  again.revive()
  await calm()
  expect(wallet.sessions()).toEqual([])
  expect(wallet.heard.map(([name]) => name)).toEqual(['session_delete'])
})

test('error: methods and chains that were not approved are not requested', async () => {
  const { dapp, topic, relay } = await openSession()
  const before = relay.published.length
  const right = { topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }
  await expect(
    dapp.request({ ...right, method: 'eth_foo' }),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[LatchkeyError: Missing or invalid. request() method: eth_foo]`,
  )
  await expect(dapp.request({ ...right, chainId: 'eip155:137' })).rejects.toMatchObject({
    code: 'CHAIN_NOT_APPROVED',
  })
  await expect(dapp.request({ ...right, topic: 'ff' })).rejects.toMatchObject({
    code: 'NO_MATCHING_KEY',
  })
  for (const expirySeconds of [299, 604_801, 300.5, Number.NaN])
    await expect(dapp.request({ ...right, expirySeconds })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  await expect(dapp.request({ ...right, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'ABORTED',
  })
  expect(relay.published).toHaveLength(before)
})

test('error: a wallet error, a request without a response, an aborted request', async () => {
  const { dapp, wallet, topic } = await openSession()
  const right = { topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }
  const refused = dapp.request(right)
  const { request } = await next<{ request: { id: number } }>((on) =>
    wallet.on('session_request', on),
  )
  await wallet.respond(topic, request.id, { error: { code: 4001, message: 'No.', data: 1 } })
  await expect(refused).rejects.toMatchObject({
    code: 'WALLET_ERROR',
    message: 'No.',
    cause: { code: 4001, message: 'No.', data: 1 },
  })
  await expect(wallet.respond(topic, request.id, { result: 1 })).rejects.toMatchObject({
    code: 'NO_MATCHING_KEY',
  })
  const calledOff = new AbortController()
  const aborted = dapp.request({ ...right, signal: calledOff.signal })
  calledOff.abort()
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' })
  vi.useFakeTimers({ toFake })
  const expired = expect(dapp.request(right)).rejects.toThrow('Request expired. Please try again.')
  await vi.advanceTimersByTimeAsync(300_000)
  await expired
  expect([...dapp.storage.entries.keys()].filter((key) => key.startsWith('call/'))).toEqual([])
})

test("behavior: expired things end by the relay's clock, with one event each", async () => {
  vi.useFakeTimers({ toFake: [...toFake, 'setInterval', 'clearInterval'] })
  world = setUp()
  const { clock } = world
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { topic } = (await run(settleTestSession(dapp, wallet))).session
  const offered = await run(dapp.connect({ optionalNamespaces: testRequirements }))
  const lapsed = expect(offered.approval).rejects.toMatchObject({ code: 'PROPOSAL_EXPIRED' })
  await run(wallet.pair(offered.uri))
  void dapp
    .request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
    .catch(() => {})
  await run(new Promise((resolve) => setTimeout(resolve, 200)))
  clock.nowMs += 301_000
  await vi.advanceTimersByTimeAsync(11_000)
  await lapsed
  expect(wallet.proposals()).toEqual([])
  expect(wallet.requests()).toEqual([])
  expect(wallet.sessions()).toHaveLength(1)
  clock.nowMs += 7 * 86_400_000
  await vi.advanceTimersByTimeAsync(11_000)
  expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
  const names = (heard: readonly [string, unknown][]) => heard.map(([name]) => name)
  expect(names(dapp.heard)).toEqual(['session_connect', 'proposal_expire', 'session_expire'])
  expect(names(wallet.heard)).toEqual([
    'session_proposal',
    'session_connect',
    'session_acknowledged',
    'session_proposal',
    'session_request',
    'proposal_expire',
    'pairing_expire',
    'session_request_expire',
    'session_expire',
  ])
})

test('behavior: a clock that is wrong by days ends nothing', async () => {
  world = setUp()
  const day = 86_400_000
  const [dapp, wallet] = [
    await world.dapp(undefined, 20 * day),
    await world.wallet(undefined, -20 * day),
  ]
  const { session } = await settleTestSession(dapp, wallet)
  expect(session.expirySeconds).toBe(1_700_000_000 + 7 * 86_400)
  await calm()
  const asks = next<{ request: { id: number } }>((on) => wallet.on('session_request', on))
  const { topic } = session
  const result = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  await wallet.respond(topic, (await asks).request.id, { result: 1 })
  expect(await result).toBe(1)
  // Without a relay the time is unknown, and nothing expires.
  world.relay.disconnect()
  dapp.close()
  const again = await world.dapp(dapp.storage, 20 * day)
  expect(again.sessions()).toHaveLength(1)
})

test('behavior: a wallet that settles too late gets the error that the session is not wanted', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const stop = new AbortController()
  const offered = await dapp.connect({ optionalNamespaces: testRequirements, signal: stop.signal })
  const proposed = next<{ proposal: { id: number } }>((on) => wallet.on('session_proposal', on))
  await wallet.pair(offered.uri)
  const { proposal } = await proposed
  stop.abort()
  await expect(offered.approval).rejects.toMatchObject({ code: 'ABORTED' })
  await wallet.approve(proposal.id, { namespaces: testApproval })
  await calm()
  expect([dapp.sessions(), wallet.sessions(), dapp.heard]).toEqual([[], [], []])
})

test('behavior: two wallets approve the same code, and only the first has a session', async () => {
  world = setUp()
  const dapp = await world.dapp()
  const wallets = [await world.wallet(), await world.wallet()]
  const { uri, approval } = await dapp.connect({ optionalNamespaces: testRequirements })
  await Promise.all(wallets.map(({ pair }) => pair(uri)))
  await calm()
  const approvals = wallets.map(({ approve, proposals }) =>
    approve(proposals()[0]?.id ?? 0, { namespaces: testApproval }),
  )
  await Promise.allSettled(approvals)
  const { topic } = await approval
  await calm()
  expect(dapp.sessions()).toHaveLength(1)
  const settled = wallets.flatMap(({ sessions }) => sessions()).filter((one) => one.isAcknowledged)
  expect(settled.map((one) => one.topic)).toEqual([topic])
})

test('error: a client that was closed', async () => {
  const { dapp, topic } = await openSession()
  dapp.close()
  await expect(dapp.ping(topic)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[LatchkeyError: Not initialized. The client is closed.]`,
  )
  await expect(dapp.connect({ optionalNamespaces: testRequirements })).rejects.toMatchObject({
    code: 'NOT_INITIALIZED',
  })
})

test('error: pairing', async () => {
  world = setUp()
  const { clock } = world
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri, approval } = await dapp.connect({ optionalNamespaces: testRequirements })
  await expect(wallet.pair('wc:nonsense')).rejects.toMatchObject({ code: 'PAIRING_URI_INVALID' })
  await expect(wallet.pair(uri.replace(/symKey=..../, 'symKey=0000'))).rejects.toMatchObject({
    code: 'PAIRING_URI_INVALID',
  })
  await wallet.pair(uri)
  await calm()
  // If the user scans the code again before responding, the proposal is shown again.
  await wallet.pair(uri)
  const shown = wallet.heard.filter(([name]) => name === 'session_proposal')
  expect(shown).toHaveLength(2)
  const [proposal] = wallet.proposals()
  await expect(wallet.approve(proposal?.id ?? 0, { namespaces: {} })).rejects.toMatchObject({
    code: 'NON_CONFORMING_NAMESPACES',
  })
  await wallet.approve(proposal?.id ?? 0, { namespaces: testApproval })
  await approval
  await expect(wallet.pair(uri)).rejects.toMatchObject({ code: 'PAIRING_EXISTS' })
  await expect(
    wallet.approve(proposal?.id ?? 0, { namespaces: testApproval }),
  ).rejects.toMatchObject({
    code: 'NO_MATCHING_KEY',
  })
  const late = await dapp.connect({ optionalNamespaces: testRequirements })
  clock.nowMs += 301_000
  await expect(wallet.pair(late.uri)).rejects.toMatchObject({ code: 'PAIRING_URI_EXPIRED' })
})

test('behavior: works with a relay that does not have the `wc_` calls', async () => {
  world = setUp()
  world.relay.settings.isOlder = true
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { session } = await settleTestSession(dapp, wallet)
  await dapp.ping(session.topic)
  expect(world.relay.published.slice(0, 3).map(({ tag }) => tag)).toEqual([1100, 1102, 1101])
})
