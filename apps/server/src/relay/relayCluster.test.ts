import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createRelayClient, testAudience } from '../../test/relayClient.ts'
import { ended, type ServerProcess, spawnServer } from '../../test/spawnServer.ts'
import { startRedis } from '../../test/startRedis.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import { createRedisMailbox } from './mailbox/redisMailbox.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
/** Inspects the state that the relays share. */
let mailbox: Mailbox
beforeAll(async () => {
  redis = await startRedis()
  const log = pino({ level: 'silent' })
  mailbox = await createRedisMailbox({ url: redis.url, log, answerMs: 60_000 })
})
afterAll(async () => {
  await mailbox?.close()
  await redis?.stop()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const spawnRelays = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      spawnServer({
        ROLE: 'relay',
        REDIS_URL: redis.url,
        RELAY_AUDIENCES: testAudience,
        RELAY_RATE_BURST: '1000000',
      }),
    ),
  )

type Pair = Awaited<ReturnType<typeof startPair>>

/**
 * A publisher and a subscriber of one topic, on different relays. The results that the publisher
 * got are kept.
 */
async function startPair(relays: readonly ServerProcess[], first: number) {
  const urls = relays.map(({ url }) => url)
  const topic = randomBytes(32).toString('hex')
  const firstTimes = new Set<string>()
  // Sometimes an acknowledgement is lost; repeated messages are acknowledged.
  const subscriber = createRelayClient({
    urls,
    acknowledges({ message }) {
      const again = firstTimes.has(message)
      firstTimes.add(message)
      return again || Number(message) % 10 !== 0
    },
  })
  const publisher = createRelayClient({ urls })
  onTestFinished(() => {
    subscriber.end()
    publisher.end()
  })
  subscriber.start(first)
  publisher.start(first + 1)
  await subscriber.subscribe(topic)
  return { topic, publisher, subscriber, kept: [] as string[], stopped: false }
}

/** Publishes numbers, eight at a time, until stopped. */
async function talk(pair: Pair): Promise<void> {
  let number = 0
  const speak = async () => {
    while (!pair.stopped) {
      number += 1
      const message = String(number)
      await pair.publisher.publish(pair.topic, message)
      pair.kept.push(message)
    }
  }
  await Promise.all(Array.from({ length: 8 }, speak))
}

const heardBy = ({ subscriber }: Pair) => [
  ...new Set(subscriber.pushes.map(({ message }) => message)),
]

/** Lets the pairs talk during `happen`, then waits until each acknowledged message is received. */
async function talkDuring(pairs: readonly Pair[], happen: () => Promise<void>): Promise<void> {
  const talking = pairs.map(talk)
  await happen()
  for (const pair of pairs) pair.stopped = true
  await Promise.all(talking)
  for (const pair of pairs) {
    await expect.poll(() => heardBy(pair).length).toBe(pair.kept.length)
    expect(heardBy(pair).sort(byNumber)).toEqual([...pair.kept].sort(byNumber))
  }
}

const byNumber = (a: string, b: string) => Number(a) - Number(b)

const expectInOrder = (pair: Pair) => expect(heardBy(pair)).toEqual([...pair.kept].sort(byNumber))

/** Expects that exactly the unacknowledged messages are pushed again to a new socket. */
async function expectOwed(pair: Pair): Promise<void> {
  const { pushes, clientId } = pair.subscriber
  const waiting = async () =>
    (await mailbox.readUnseen(clientId, pair.topic)).map((one) => one.message)
  const timesOf = (message: string) => pushes.filter((push) => push.message === message).length
  const owed = pair.kept
    .filter((message) => Number(message) % 10 === 0 && timesOf(message) === 1)
    .sort(byNumber)
  expect(owed.length).toBeGreaterThan(0)
  await expect.poll(waiting).toEqual(owed)
  const before = pushes.length
  pair.subscriber.move()
  await expect.poll(waiting).toEqual([])
  expect(pushes.slice(before).map(({ message }) => message)).toEqual(owed)
  pair.subscriber.move()
  await pair.subscriber.subscribe(pair.topic)
  await pause(100)
  expect(pushes.length - before).toBe(owed.length)
}

/** Waits until each pair has published `count` more messages. */
async function untilSaid(pairs: readonly Pair[], count: number): Promise<void> {
  const goals = pairs.map(({ kept }) => kept.length + count)
  await expect.poll(() => pairs.every(({ kept }, at) => kept.length >= (goals[at] ?? 0))).toBe(true)
}

test('behavior: relays killed in mid-traffic lose no message that was answered', async () => {
  const relays = await spawnRelays(3)
  const [first, second, third] = relays
  if (!first || !second || !third) throw new Error('Three relays were asked for')
  const pairs = await Promise.all([0, 1, 2, 0, 1, 2].map((at) => startPair(relays, at)))
  await talkDuring(pairs, async () => {
    await untilSaid(pairs, 100)
    first.child.kill('SIGKILL')
    await untilSaid(pairs, 100)
    second.child.kill('SIGKILL')
    await untilSaid(pairs, 100)
  })
  for (const pair of pairs) {
    expectInOrder(pair)
    expect([...pair.subscriber.closes, ...pair.publisher.closes]).toContain(1006)
  }
  await Promise.all(pairs.map(expectOwed))
  expect(third.child.exitCode).toBeNull()
})

test('behavior: relays that lose Redis for a moment catch up', async () => {
  const relays = await spawnRelays(2)
  const pairs = await Promise.all([0, 1].map((at) => startPair(relays, at)))
  const admin = new Redis(redis.url)
  onTestFinished(() => admin.disconnect())
  await talkDuring(pairs, async () => {
    for (let round = 0; round < 4; round++) {
      await untilSaid(pairs, 50)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal')
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    }
    await untilSaid(pairs, 50)
    await admin.call('CLIENT', 'PAUSE', 400, 'ALL')
    await untilSaid(pairs, 50)
  })
  // Their relays ran the whole time.
  for (const pair of pairs) expect(pair.subscriber.closes).toEqual([])
})

test('behavior: a relay that stops closes its clients with 1001 and loses nothing', async () => {
  const relays = await spawnRelays(2)
  const [first] = relays
  const pairs = await Promise.all([0, 1, 0, 1].map((at) => startPair(relays, at)))
  await talkDuring(pairs, async () => {
    await untilSaid(pairs, 50)
    first?.child.kill('SIGTERM')
    expect(first && (await ended(first.child))).toBe(0)
    await untilSaid(pairs, 50)
  })
  pairs.map(expectInOrder)
  for (const { subscriber, publisher } of pairs)
    expect([...subscriber.closes, ...publisher.closes].filter((code) => code !== 1006)).toEqual([
      1001,
    ])
})
