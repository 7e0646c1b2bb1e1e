import { generateIdentity } from '@latchkey/walletconnect'
import { createRelayClient } from '@latchkey/walletconnect/relay'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { startRelay } from './startRelay.ts'

const topicOf = (digit: string) => digit.repeat(64)
const topic = topicOf('a')
const sent = { topic, message: 'hello', tag: 1108, ttl: 300, prompt: true }

async function connectTo(url: string, { identity = generateIdentity(), offMs = 0 } = {}) {
  const heard: string[] = []
  const refuse = new Set<string>()
  const relay = createRelayClient({
    url,
    projectId: 'local',
    identity: await identity,
    now: () => Date.now() + offMs,
    WebSocket: NodeSocket as unknown as typeof WebSocket,
    async onMessage({ message }) {
      heard.push(message)
      if (refuse.delete(message)) throw new Error('not now')
    },
  })
  onTestFinished(relay.close)
  return { relay, heard, refuse }
}

const eventually = (isSo: () => void) => vi.waitFor(isSo, { timeout: 120_000, interval: 10 })

test('default', async () => {
  const { url } = await startRelay()
  const [anna, ben] = [await connectTo(url), await connectTo(url)]
  await anna.relay.publish(sent)
  await anna.relay.subscribe([topic])
  await ben.relay.subscribe([topic])
  await anna.relay.publish({ ...sent, message: 'again' })
  await eventually(() => expect(ben.heard).toEqual(['hello', 'again']))
  await ben.relay.unsubscribe([topic])
  await anna.relay.publish({ ...sent, message: 'unheard' })
  await ben.relay.subscribe([topic])
  await eventually(() => expect(ben.heard).toEqual(['hello', 'again', 'unheard']))
  expect(anna.heard).toEqual([])
  expect(ben.relay.clockOffsetMs()).toBe(0)
})

test('behavior: proposes and approves', async () => {
  const { url } = await startRelay()
  const [dapp, wallet] = [await connectTo(url), await connectTo(url)]
  const session = topicOf('b')
  await dapp.relay.call({
    method: 'wc_proposeSession',
    params: { pairingTopic: topic, sessionProposal: 'proposal', ttl: 300 },
    topic,
  })
  await wallet.relay.subscribe([topic])
  await eventually(() => expect(wallet.heard).toEqual(['proposal']))
  await wallet.relay.call({
    method: 'wc_approveSession',
    params: {
      pairingTopic: topic,
      sessionTopic: session,
      sessionProposalResponse: 'response',
      sessionSettlementRequest: 'settlement',
    },
    topic: session,
  })
  await eventually(() => expect(dapp.heard).toEqual(['response']))
  await dapp.relay.subscribe([session])
  await eventually(() => expect(dapp.heard).toEqual(['response', 'settlement']))
})

test('behavior: a relay that is started again', async () => {
  const relay = await startRelay()
  const [anna, ben] = [await connectTo(relay.url), await connectTo(relay.url)]
  await ben.relay.subscribe([topic])
  await relay.restart()
  await anna.relay.publish(sent)
  await eventually(() => expect(ben.heard).toEqual(['hello']))
})

test('behavior: unhandled messages are delivered again', async () => {
  const { url } = await startRelay()
  const [anna, ben] = [await connectTo(url), await connectTo(url)]
  ben.refuse.add('hello')
  await ben.relay.subscribe([topic])
  await anna.relay.publish(sent)
  await eventually(() => expect(ben.heard).toEqual(['hello', 'hello']))
})

test('behavior: a clock that is three days off', async () => {
  const { url } = await startRelay()
  for (const offMs of [3 * 86_400_000, -3 * 86_400_000]) {
    const { relay } = await connectTo(url, { offMs })
    await relay.publish({ ...sent, message: `${offMs}` })
    expect(Math.abs(relay.clockOffsetMs() + offMs)).toBeLessThan(3_000)
  }
})

test('behavior: two tabs with one identity', async () => {
  const { url } = await startRelay()
  const identity = generateIdentity()
  const [anna, ...tabs] = [
    await connectTo(url),
    await connectTo(url, { identity }),
    await connectTo(url, { identity }),
  ]
  for (const { relay } of tabs) await relay.subscribe([topic])
  await anna.relay.publish(sent)
  await eventually(() => expect(tabs.map(({ heard }) => heard)).toEqual([['hello'], ['hello']]))
  await tabs[0]?.relay.publish({ ...sent, message: 'own' })
  await anna.relay.subscribe([topic])
  await eventually(() => expect(anna.heard).toEqual(['own']))
})

test('behavior: revived, a socket that lives stays', async () => {
  const { url } = await startRelay()
  const { relay } = await connectTo(url)
  await relay.subscribe([topic])
  const statuses = vi.fn()
  relay.onStatus(statuses)
  relay.revive()
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  expect(statuses).not.toHaveBeenCalled()
})

test('error: refused', async () => {
  const { url } = await startRelay()
  const { relay } = await connectTo(url)
  const ttl = relay.publish({ ...sent, ttl: 0 })
  await expect(ttl).rejects.toMatchObject({ code: 'RELAY_REFUSED' })
  await expect(relay.subscribe(['short'])).rejects.toMatchObject({ code: 'RELAY_REFUSED' })
  await relay.subscribe([topic])
  const unknown = relay.call({ method: 'wc_unknown', params: {}, topic })
  await expect(unknown).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' })
  const refused = await connectTo(`${url}/?elsewhere`)
  await expect(refused.relay.publish(sent)).rejects.toMatchObject({ code: 'RELAY_REFUSED' })
  expect(refused.relay.status().status).toBe('refused')
})
