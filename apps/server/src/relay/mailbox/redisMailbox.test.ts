import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startRedis } from '../../../test/startRedis.ts'
import { getMessageId } from './mailbox.ts'
import { createRedisMailbox } from './redisMailbox.ts'

const topic = 'ab'.repeat(32)
const log = pino({ level: 'silent' })

let redis: Awaited<ReturnType<typeof startRedis>>
let admin: Redis
beforeAll(async () => {
  redis = await startRedis()
  admin = new Redis(redis.url)
})
afterAll(async () => {
  admin?.disconnect()
  await redis?.stop()
})

async function open() {
  const mailbox = await createRedisMailbox({ url: redis.url, log, answerMs: 60_000 })
  onTestFinished(() => mailbox.close())
  return mailbox
}

test('behavior: every key expires, a topic with the last of its messages', async () => {
  const mailbox = await open()
  const publish = (message: string, ttlSeconds: number) =>
    mailbox.publish('alice', { topic, message, ttlSeconds, tag: 0 })
  await publish('long', 600)
  await publish('short', 10)
  await mailbox.acknowledge('bob', topic, getMessageId('long'))
  await mailbox.subscribe('bob', [topic])
  const keys = await admin.keys('*')
  const seconds = await Promise.all(keys.map((key) => admin.ttl(key)))
  const rounded = keys.map((key, at) => [
    key.replace(topic, ''),
    Math.round((seconds[at] ?? 0) / 60),
  ])
  expect(Object.fromEntries(rounded)).toEqual({
    'latchkey:relay:messages:': 10,
    'latchkey:relay:expiries:': 10,
    'latchkey:relay:notes:': 10,
    'latchkey:relay:delivered:': 10,
    'latchkey:relay:client:bob': 30 * 24 * 60,
  })
})

test('error: announcements in Redis that are not messages of a relay are ignored', async () => {
  const mailbox = await open()
  const heard: string[] = []
  mailbox.listen(({ message }) => heard.push(message))
  await mailbox.follow([topic])
  await admin.publish(`latchkey:relay:topic:${topic}`, 'of another version')
  const other = await open()
  await other.publish('alice', { topic, message: 'from elsewhere', ttlSeconds: 60, tag: 0 })
  await expect.poll(() => heard).toContain('from elsewhere')
})

test('behavior: one relay receives what another stores; after a lost connection it reads again', async () => {
  const [one, two] = [await open(), await open()]
  const heard: string[] = []
  let missed = 0
  two.listen(
    ({ message }) => heard.push(message),
    () => missed++,
  )
  const other = 'cd'.repeat(32)
  await two.follow([other])
  const publish = (message: string) =>
    one.publish('alice', { topic: other, message, ttlSeconds: 60, tag: 0 })
  await publish('1')
  await expect.poll(() => heard).toEqual(['1'])
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await publish('2')
  await expect.poll(() => missed).toBe(1)
  await two.follow([other])
  await publish('3')
  await expect.poll(() => heard).toContain('3')
  expect((await two.readUnseen('bob', other)).map(({ message }) => message)).toEqual([
    '1',
    '2',
    '3',
  ])
  two.unfollow([other])
  await expect.poll(() => admin.pubsub('NUMSUB', `latchkey:relay:topic:${other}`)).toContain(0)
})

test('error: while Redis is away every call rejects at once', async () => {
  const gone = await startRedis()
  await gone.stop()
  const mailbox = await createRedisMailbox({ url: gone.url, log })
  onTestFinished(() => mailbox.close())
  const startedAtMs = performance.now()
  const publication = { topic, message: 'x', ttlSeconds: 60, tag: 0 }
  await expect(mailbox.publish('alice', publication)).rejects.toThrow()
  await expect(mailbox.follow([topic])).rejects.toThrow()
  await expect(mailbox.sweep()).resolves.toBeUndefined()
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
})
