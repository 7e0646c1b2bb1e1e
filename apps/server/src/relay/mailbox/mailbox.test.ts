import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startRedis } from '../../../test/startRedis.ts'
import { getMessageId, type Mailbox, type Message } from './mailbox.ts'
import { createMemoryMailbox } from './memoryMailbox.ts'
import { createRedisMailbox, type RedisMailboxLimits } from './redisMailbox.ts'

const topic = 'ab'.repeat(32)
const other = 'cd'.repeat(32)
const log = pino({ level: 'silent' })

type Limits = Partial<RedisMailboxLimits>
type Open = (now: () => number, limits: Limits) => Promise<Mailbox>

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())

describe.each<[string, Open]>([
  ['memory', async (now, limits) => createMemoryMailbox({ now, limits })],
  [
    'redis',
    async (now, limits) => {
      const client = new Redis(redis.url)
      await client.flushall()
      client.disconnect()
      return createRedisMailbox({ url: redis.url, log, now, limits, answerMs: 60_000 })
    },
  ],
])('%s', (_, open) => {
  const opened: Mailbox[] = []
  afterEach(() => Promise.all(opened.splice(0).map((mailbox) => mailbox.close())))

  async function setUp(limits: Limits = {}) {
    const clock = { nowMs: 1_700_000_000_000 }
    const mailbox = await open(() => clock.nowMs, limits)
    opened.push(mailbox)
    const publish = (message: string, changes: { topic?: string; ttlSeconds?: number } = {}) =>
      mailbox.publish('alice', { topic, message, ttlSeconds: 300, tag: 1100, ...changes })
    const texts = async (clientId: string, on = topic) =>
      (await mailbox.readUnseen(clientId, on)).map(({ message }) => message)
    return { clock, mailbox, publish, texts }
  }

  test('default: messages wait in order for all clients but the sender, until acknowledged', async () => {
    const { mailbox, publish, texts } = await setUp()
    for (const text of ['1', '2', '3']) await publish(text)
    expect(await texts('bob')).toEqual(['1', '2', '3'])
    expect(await texts('alice')).toEqual([])
    await mailbox.acknowledge('bob', topic, getMessageId('2'))
    await mailbox.acknowledge('bob', topic, getMessageId('2'))
    await mailbox.acknowledge('bob', topic, getMessageId('none'))
    await mailbox.acknowledge('bob', other, getMessageId('1'))
    expect(await texts('bob')).toEqual(['1', '3'])
    expect(await texts('carol')).toEqual(['1', '2', '3'])
    expect(await texts('carol', other)).toEqual([])
  })

  test('default: a message comes back as it went in', async () => {
    const { mailbox, clock } = await setUp()
    const message = 'ünï ✓ 0 1 \u0000 \n\r{"json":1} 😀'
    const attestation = 'att 7 ☂'
    const given = { topic, message, attestation, tag: 1108 }
    const kept = await mailbox.publish('alice', { ...given, ttlSeconds: 2.5 })
    const expected = {
      ...given,
      id: getMessageId(message),
      publisher: 'alice',
      publishedAtMs: clock.nowMs,
      expiresAtMs: clock.nowMs + 2_500,
    }
    expect(kept).toEqual(expected)
    const heard: Message[] = []
    mailbox.listen((one) => heard.push(one))
    await mailbox.follow([topic])
    const bare = await mailbox.publish('alice', { topic, message: 'x', tag: 0, ttlSeconds: 9 })
    if (typeof bare === 'string') throw new Error(bare)
    await mailbox.announce(bare)
    await expect.poll(() => heard).toHaveLength(1)
    for (const one of [bare, heard[0], (await mailbox.readUnseen('bob', topic))[1]])
      expect(one).toMatchObject({ topic, message: 'x', tag: 0, publisher: 'alice' })
    expect((await mailbox.readUnseen('bob', topic))[0]).toMatchObject(expected)
  })

  test('behavior: a repeated message is one message, per topic', async () => {
    const { publish, texts } = await setUp()
    const first = await publish('same')
    expect(first).toMatchObject({ id: getMessageId('same'), publisher: 'alice' })
    expect(await publish('same')).toBe('repeated')
    expect(await publish('same', { topic: other })).toMatchObject({ id: getMessageId('same') })
    expect(await texts('bob')).toEqual(['same'])
  })

  test('behavior: of copies published together, only the first is stored', async () => {
    const { publish, texts } = await setUp()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => publish('same')))
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(19)
    expect(await texts('bob')).toEqual(['same'])
  })

  test('behavior: expired messages are not given out and may come again', async () => {
    const { clock, publish, texts } = await setUp()
    await publish('short', { ttlSeconds: 1 })
    await publish('long', { ttlSeconds: 30 })
    clock.nowMs += 999
    expect(await texts('bob')).toEqual(['short', 'long'])
    clock.nowMs += 1
    expect(await texts('bob')).toEqual(['long'])
    expect(await publish('short', { ttlSeconds: 60 })).toMatchObject({ message: 'short' })
    expect(await texts('bob')).toEqual(['long', 'short'])
    clock.nowMs += 29_000
    expect(await texts('bob')).toEqual(['short'])
  })

  test('param: limits: messages and bytes of a topic', async () => {
    const few = await setUp({ messagesPerTopic: 2 })
    await few.publish('1', { ttlSeconds: 1 })
    await few.publish('2')
    expect(await few.publish('3')).toBe('full')
    expect(await few.publish('2')).toBe('repeated')
    few.clock.nowMs += 1_000
    expect(await few.publish('3')).toMatchObject({ message: '3' })
    expect(await few.publish('4')).toBe('full')

    const small = await setUp({ bytesPerTopic: 3_500 })
    expect(await small.publish('ü'.repeat(1_500))).toBe('full')
    expect(await small.publish('u'.repeat(1_500))).toMatchObject({ topic })
    expect(await small.publish('v'.repeat(1_500))).toBe('full')
    small.clock.nowMs += 300_000
    expect(await small.publish('w'.repeat(1_500))).toMatchObject({ topic })
    expect(await small.publish('x'.repeat(1_500))).toBe('full')
  })

  test('behavior: delivered messages make room in their topic', async () => {
    const { mailbox, publish, texts } = await setUp({ messagesPerTopic: 2 })
    await publish('1')
    await publish('2')
    await mailbox.acknowledge('bob', topic, getMessageId('2'))
    expect(await publish('3')).toMatchObject({ message: '3' })
    expect(await texts('carol')).toEqual(['1', '3'])
    expect(await publish('4')).toBe('full')
    expect(await publish('4', { topic: other })).toMatchObject({ message: '4' })
  })

  test('param: limits: those remembered as having had a message', async () => {
    const { mailbox, publish, texts } = await setUp({ seenPerMessage: 2 })
    await publish('1')
    for (const client of ['b', 'c', 'd'])
      await mailbox.acknowledge(client, topic, getMessageId('1'))
    expect(await texts('b')).toEqual(['1'])
    expect(await texts('c')).toEqual([])
    expect(await texts('d')).toEqual([])
  })

  test('param: limits: subscriptions of a client, all or none', async () => {
    const { mailbox } = await setUp({ subscriptionsPerClient: 3 })
    const topicsOf = async (clientId: string) => [...(await mailbox.readTopics(clientId))].sort()
    expect(await mailbox.subscribe('bob', ['a', 'b', 'a'])).toBe(true)
    expect(await mailbox.subscribe('bob', ['b', 'c', 'd'])).toBe(false)
    expect(await topicsOf('bob')).toEqual(['a', 'b'])
    expect(await mailbox.subscribe('bob', ['b', 'c'])).toBe(true)
    expect(await mailbox.subscribe('carol', ['a'])).toBe(true)
    await mailbox.unsubscribe('bob', ['a', 'b', 'none'])
    await mailbox.unsubscribe('nobody', ['a'])
    expect(await topicsOf('bob')).toEqual(['c'])
    expect(await topicsOf('carol')).toEqual(['a'])
    expect(await topicsOf('nobody')).toEqual([])
  })

  test('behavior: listeners receive announcements until they leave', async () => {
    const { mailbox, publish } = await setUp()
    const heard: string[] = []
    const leave = mailbox.listen(({ message }) => heard.push(message))
    await mailbox.follow([topic])
    const tell = async (text: string) => {
      const message = await publish(text)
      if (typeof message === 'string') throw new Error(message)
      // Its publisher is answered first.
      expect(heard).not.toContain(text)
      await mailbox.announce(message)
    }
    await tell('1')
    await expect.poll(() => heard).toEqual(['1'])
    await tell('2')
    await expect.poll(() => heard).toEqual(['1', '2'])
    leave()
    await tell('3')
    await publish('3')
    expect(heard).toEqual(['1', '2'])
  })

  test('behavior: sweeping keeps what has not expired', async () => {
    const { clock, mailbox, publish, texts } = await setUp()
    await publish('1')
    await mailbox.subscribe('bob', [topic])
    clock.nowMs += 299_000
    await mailbox.sweep()
    expect(await texts('bob')).toEqual(['1'])
    expect(await mailbox.readTopics('bob')).toEqual([topic])
  })
})
