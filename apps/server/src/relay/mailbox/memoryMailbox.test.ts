import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getMessageId, overheadBytes } from './mailbox.ts'
import { createMemoryMailbox, type MailboxLimits } from './memoryMailbox.ts'

/** The size that a message of one letter counts as. */
const tiny = overheadBytes + 1

const topic = 'ab'.repeat(32)
const empty = { topics: 0, messages: 0, bytes: 0, clients: 0, subscriptions: 0 }

function setUp(limits: Partial<MailboxLimits> = {}) {
  const clock = { nowMs: 1_700_000_000_000 }
  const mailbox = createMemoryMailbox({ now: () => clock.nowMs, limits })
  const publish = (message: string, changes: { topic?: string; ttlSeconds?: number } = {}) =>
    mailbox.publish('alice', { topic, message, ttlSeconds: 300, tag: 1100, ...changes })
  const texts = async (clientId: string) =>
    (await mailbox.readUnseen(clientId, topic)).map(({ message }) => message)
  return { clock, mailbox, publish, texts }
}

test('behavior: expired messages are not given out, and sweeping leaves nothing', async () => {
  const { clock, mailbox, publish, texts } = setUp()
  await publish('short', { ttlSeconds: 1 })
  await publish('long', { ttlSeconds: 30 })
  await mailbox.subscribe('bob', [topic])
  clock.nowMs += 1_000
  expect(await texts('bob')).toEqual(['long'])
  expect(await publish('short', { ttlSeconds: 60 })).toMatchObject({ message: 'short' })
  clock.nowMs += 29_000
  await mailbox.sweep()
  expect(await texts('bob')).toEqual(['short'])
  clock.nowMs += 45_000
  await mailbox.sweep()
  expect(mailbox.size()).toEqual({ ...empty, clients: 1, subscriptions: 1 })
  clock.nowMs += 30 * 86_400_000
  expect(await mailbox.readTopics('bob')).toEqual([])
  await mailbox.sweep()
  expect(mailbox.size()).toEqual(empty)
})

test('behavior: a delivered message that expired makes room once', async () => {
  const { clock, mailbox, publish } = setUp({ bytes: 2 * tiny })
  await publish('1', { ttlSeconds: 1 })
  await mailbox.acknowledge('bob', topic, getMessageId('1'))
  clock.nowMs += 20_000
  await mailbox.sweep()
  await publish('2')
  await publish('3')
  expect(await publish('4')).toBe('full')
  expect(mailbox.size()).toMatchObject({ messages: 2, bytes: 2 * tiny })
})

test('param: limits: subscriptions of a client, all or none; of all clients, the oldest goes', async () => {
  const { mailbox } = setUp({ subscriptionsPerClient: 3, subscriptions: 5 })
  expect(await mailbox.subscribe('bob', ['a', 'b', 'a'])).toBe(true)
  expect(await mailbox.subscribe('bob', ['b', 'c', 'd'])).toBe(false)
  expect(await mailbox.readTopics('bob')).toEqual(['a', 'b'])
  expect(await mailbox.subscribe('carol', ['a', 'b'])).toBe(true)
  expect(await mailbox.subscribe('bob', ['a'])).toBe(true)
  expect(await mailbox.subscribe('dan', ['a', 'b'])).toBe(true)
  expect(await mailbox.readTopics('carol')).toEqual([])
  expect(mailbox.size()).toMatchObject({ clients: 2, subscriptions: 4 })
  await mailbox.unsubscribe('dan', ['a', 'b', 'none'])
  await mailbox.unsubscribe('nobody', ['a'])
  expect(mailbox.size()).toMatchObject({ clients: 1, subscriptions: 2 })
})

test('behavior: a repeated message whose first copy expired is counted once, also in a full topic', async () => {
  const { clock, mailbox, publish } = setUp({ messagesPerTopic: 1 })
  await publish('1', { ttlSeconds: 1 })
  clock.nowMs += 1_000
  expect(await publish('1')).toMatchObject({ message: '1' })
  expect(mailbox.size()).toMatchObject({ topics: 1, messages: 1, bytes: tiny })
})

test('behavior: after any sequence of operations the sums agree, and everything is removed in the end', async () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('publish' as const),
      topic: name,
      message: name,
      ttlSeconds: fc.integer({ min: 1, max: 100 }),
    }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(30_000) }),
    fc.record({
      kind: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
      client: name,
      topics: fc.array(name),
    }),
    fc.record({ kind: fc.constant('sweep' as const) }),
    fc.record({ kind: fc.constant('acknowledge' as const), topic: name, message: name }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, mailbox } = setUp({ messagesPerTopic: 2, bytes: 4 * tiny, subscriptions: 5 })
      for (const one of steps) {
        if (one.kind === 'wait') clock.nowMs += one.ms
        else if (one.kind === 'sweep') await mailbox.sweep()
        else if (one.kind === 'acknowledge')
          await mailbox.acknowledge('x', one.topic, getMessageId(one.message))
        else if (one.kind === 'publish') await mailbox.publish('p', { ...one, tag: 0 })
        else await mailbox[one.kind](one.client, one.topics)
        expect(mailbox.size().bytes).toBe(mailbox.size().messages * tiny)
        expect(mailbox.size().messages).toBeLessThanOrEqual(4)
        expect(mailbox.size().subscriptions).toBeLessThanOrEqual(5)
      }
      for (const client of ['a', 'b', 'c'])
        expect(new Set(await mailbox.readTopics(client)).size).toBeLessThanOrEqual(3)
      clock.nowMs += 31 * 86_400_000
      await mailbox.sweep()
      expect(mailbox.size()).toEqual(empty)
    }),
  )
})

test('param: limits: bytes in all; delivered messages make room', async () => {
  const other = 'cd'.repeat(32)
  const { mailbox, publish, texts } = setUp({ bytes: 3 * tiny })
  await publish('1', { topic: other })
  await publish('2')
  await publish('3')
  expect(await publish('4')).toBe('full')
  await mailbox.acknowledge('bob', topic, getMessageId('3'))
  await mailbox.acknowledge('bob', other, getMessageId('1'))
  expect(await publish('4')).toMatchObject({ message: '4' })
  expect(await texts('carol')).toEqual(['2', '4'])
  expect(mailbox.size()).toMatchObject({ topics: 2, messages: 3, bytes: 3 * tiny })
})
