import { expect, test } from 'vitest'
import { codeOf, connectTo, ends } from '../../test/relayClient.ts'
import { agree, startScriptedRelay } from '../../test/scriptedRelay.ts'
import { createTestRelay } from '../testing/testing.ts'
import { openRelays, type Relays } from './relays.ts'

function setUp(): { relays: Relays; closed: string[]; made: string[] } {
  const now = () => 1_700_000_000_000
  const hub = createTestRelay({ now })
  const identity = { publicKey: 'a', privateKey: '' }
  const closed: string[] = []
  const made: string[] = []
  const relays = openRelays(
    (url) => {
      made.push(url)
      const relay = hub.createRelay({ url, identity, now, onMessage: async () => {} })
      return {
        ...relay,
        close() {
          closed.push(url)
          relay.close()
        },
      }
    },
    () => {},
  )
  return { relays, closed, made }
}

const topics = ['a'.repeat(64), 'b'.repeat(64)] as const
const one = 'wss://one.test'
const other = 'wss://other.test'

test('default', async () => {
  const { relays, closed, made } = setUp()
  expect([relays.status(one), relays.clockOffsetMs(one)]).toEqual([{ status: 'idle' }, 0])
  expect(made).toEqual([])
  await relays.hold(one, topics)
  await relays.hold(other, [topics[0]])
  expect(relays.urls()).toEqual([one, other])
  relays.drop(topics[0])
  await expect.poll(() => closed).toEqual([other])
  relays.sync([])
  await expect.poll(() => closed).toEqual([other, one])
  expect(relays.status(one)).toEqual({ status: 'idle' })
})

test('behavior: a relay stays open while something is on its way', async () => {
  const { relays, closed, made } = setUp()
  let end = () => {}
  const used = relays.use(one, () => new Promise<void>((resolve) => (end = resolve)))
  await relays.hold(one, [topics[0]])
  relays.drop(topics[0])
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(closed).toEqual([])
  end()
  await used
  expect(closed).toEqual([one])
  expect(made).toEqual([one])
})

test('behavior: subscribes again to a refused topic, and disconnects from a relay without topics', async () => {
  const server = await startScriptedRelay()
  const relays = openRelays(
    (url) => connectTo(url).relay,
    () => {},
  )
  server.on.request = () => ({ error: { code: -32600, message: 'no' } })
  const [topic] = topics
  expect(await codeOf(relays.hold(server.url, [topic]))).toBe('RELAY_REFUSED')
  expect(relays.urls()).toEqual([])
  server.on.request = agree
  relays.sync([{ relayUrl: server.url, topic }])
  await expect.poll(() => server.requests('irn_batchSubscribe')).toHaveLength(2)
  relays.close()
  for (const end of ends.splice(0).reverse()) await end()
  await server.stop()
})
