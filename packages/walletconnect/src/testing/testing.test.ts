import { expect, test, vi } from 'vitest'
import { calm } from '../../test/testingClients.ts'
import type { RelayMessage } from '../relay/relayClient.ts'
import { createTestRelay } from './testing.ts'

const url = 'ws://relay.test'
const topic = 'a'.repeat(64)
const sent = { topic, tag: 1108, ttl: 300, prompt: true }

function setUp() {
  let nowMs = 1_700_000_000_000
  const relay = createTestRelay({ now: () => nowMs })
  const client = (publicKey: string, clockMs = 0) => {
    const heard: string[] = []
    const on = { message: async (_: RelayMessage) => {} }
    const made = relay.createRelay({
      url,
      identity: { publicKey, privateKey: '' },
      now: () => nowMs + clockMs,
      onMessage: async (message) => {
        heard.push(message.message)
        await on.message(message)
      },
    })
    return Object.assign(made, { heard, on })
  }
  return { relay, client, advance: (ms: number) => (nowMs += ms) }
}

test('default', async () => {
  const { relay, client } = setUp()
  const [anna, ben] = [client('a'), client('b')]
  await anna.publish({ ...sent, message: 'early' })
  await anna.subscribe([topic])
  await ben.subscribe([topic])
  await anna.publish({ ...sent, message: 'late' })
  await anna.publish({ ...sent, message: 'late' })
  await calm()
  await ben.subscribe([topic])
  await calm()
  expect(ben.heard).toEqual(['early', 'late'])
  expect(anna.heard).toEqual([])
  expect(relay.published.map(({ clientId, tag }) => [clientId, tag])).toEqual([
    ['a', 1108],
    ['a', 1108],
  ])
})

test('behavior: a message expires', async () => {
  const { client, advance } = setUp()
  await client('a').publish({ ...sent, message: 'old' })
  advance(300_000)
  const ben = client('b')
  await ben.subscribe([topic])
  await calm()
  expect(ben.heard).toEqual([])
})

test('behavior: a rejected message and a message with a lost acknowledgement arrive again', async () => {
  const { relay, client } = setUp()
  const [anna, ben] = [client('a'), client('b')]
  let refusals = 1
  ben.on.message = async () => {
    if (refusals-- > 0) throw new Error('not yet')
  }
  await ben.subscribe([topic])
  await anna.publish({ ...sent, message: 'one' })
  await calm()
  expect(ben.heard).toEqual(['one', 'one'])
  relay.settings.losesAcks = true
  await anna.publish({ ...sent, message: 'two' })
  await calm()
  relay.disconnect('b')
  relay.connect('b')
  await calm()
  expect(ben.heard).toEqual(['one', 'one', 'two', 'two'])
})

test('behavior: a cut connection holds publishes back, a refused one rejects them', async () => {
  const { relay, client } = setUp()
  const [anna, ben] = [client('a'), client('b')]
  const heard = vi.fn()
  await ben.subscribe([topic])
  ben.onStatus(({ status }) => heard(status))
  relay.disconnect()
  const published = anna.publish({ ...sent, message: 'one' })
  expect(anna.status().status).toBe('waiting')
  relay.connect()
  await published
  await calm()
  expect(ben.heard).toEqual(['one'])
  relay.refuse(new Error('no'))
  await expect(anna.publish({ ...sent, message: 'two' })).rejects.toThrow('no')
  relay.accept()
  ben.revive()
  expect(heard.mock.calls.flat()).toEqual([
    'waiting',
    'connecting',
    'connected',
    'refused',
    'idle',
    'connecting',
    'connected',
  ])
})

test('behavior: proposes and approves, unless it is older', async () => {
  const { relay, client } = setUp()
  const [anna, ben] = [client('a'), client('b')]
  const session = 'b'.repeat(64)
  const proposal = { pairingTopic: topic, sessionProposal: 'propose', ttl: 300 }
  await anna.call({ method: 'wc_proposeSession', params: proposal, topic })
  await ben.subscribe([topic])
  await ben.call({
    method: 'wc_approveSession',
    params: {
      pairingTopic: topic,
      sessionTopic: session,
      sessionProposalResponse: 'response',
      sessionSettlementRequest: 'settlement',
    },
    topic: session,
  })
  await calm()
  expect(ben.heard).toEqual(['propose'])
  expect(anna.heard).toEqual(['response'])
  await anna.subscribe([session])
  await calm()
  expect(anna.heard).toEqual(['response', 'settlement'])
  relay.settings.isOlder = true
  await expect(
    anna.call({ method: 'wc_proposeSession', params: proposal, topic }),
  ).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' })
})

test('param: settings', async () => {
  const { relay, client } = setUp()
  const [anna, ben] = [client('a'), client('b', 3_600_000)]
  const twin = client('b')
  Object.assign(relay.settings, { reorders: true, duplicates: true, pushDelayMs: 10 })
  await anna.publish({ ...sent, message: 'one' })
  await anna.publish({ ...sent, message: 'two' })
  await ben.subscribe([topic])
  await twin.subscribe([topic])
  await calm()
  expect(ben.heard).toEqual(['two', 'two', 'one', 'one'])
  expect(twin.heard).toEqual(ben.heard)
  expect([ben.clockOffsetMs(), twin.clockOffsetMs()]).toEqual([-3_600_000, 0])
})
