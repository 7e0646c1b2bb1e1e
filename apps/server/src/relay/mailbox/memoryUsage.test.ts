import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startRedis } from '../../../test/startRedis.ts'
import { readConfig } from '../../config.ts'
import { limitMailbox } from '../quota/limitMailbox.ts'
import { createQuotaBook } from '../quota/quotaBook.ts'
import { getMessageBytes, type Mailbox } from './mailbox.ts'
import { createMemoryMailbox } from './memoryMailbox.ts'
import { createRedisMailbox } from './redisMailbox.ts'

const { gc: collect } = globalThis
if (!collect) throw new Error('These tests need --expose-gc')
/**
 * The heap in use after garbage collection. Objects that ended a turn ago are only freed in the
 * next turn.
 */
const heapBytes = async () => {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    await setImmediate()
    collect()
    const { used_heap_size, external_memory } = getHeapStatistics()
    const bytes = used_heap_size + external_memory
    if (bytes > last - 10_000) return bytes
    last = bytes
  }
}

/** `perTopic` messages share a topic, each with `text`; `acked`: a client has acknowledged each. */
type Load = { readonly perTopic: number; readonly text: string; readonly acked: boolean }

const count = 4_000
const loads: readonly Load[] = [
  { perTopic: 1, text: '', acked: false },
  { perTopic: 1, text: '', acked: true },
  { perTopic: 500, text: '', acked: false },
  { perTopic: 500, text: '', acked: true },
  { perTopic: 10, text: 'x'.repeat(2_000), acked: false },
  { perTopic: 10, text: `${'x'.repeat(2_000)}✓`, acked: true },
]

/** All created objects. They stay alive during all measurements. */
const kept: object[] = []

/** Publishes through the limits of a relay; returns the size that the messages count as. */
async function fill(measured: Mailbox, { perTopic, text, acked }: Load): Promise<number> {
  const env = {
    RELAY_MAILBOX_BYTES_PER_CLIENT: '1000000000',
    RELAY_MAILBOX_BYTES_PER_ADDRESS: '1000000000',
  }
  const quotas = createQuotaBook({ now: Date.now, limits: readConfig(env).relay })
  const client = `did:key:z6Mk${randomBytes(24).toString('base64url')}`
  quotas.enter(client, quotas.get({ client, address: '10.0.0.1', project: 'local' }))
  const mailbox = limitMailbox(measured, { quotas, now: Date.now })
  let topic = ''
  let counted = 0
  for (let index = 0; index < count; index += 1) {
    if (index % perTopic === 0) topic = randomBytes(32).toString('hex')
    // Parsed like a message from a frame.
    const publication = JSON.parse(
      JSON.stringify({ topic, message: text + index, ttlSeconds: 3600, tag: 1100 }),
    )
    const message = await mailbox.publish(client, publication)
    if (typeof message === 'string') throw new Error(message)
    counted += getMessageBytes(publication)
    if (acked) await mailbox.acknowledge(`did:key:bob${index % 7}`, topic, message.id)
  }
  kept.push({ mailbox, quotas })
  return counted
}

const named = loads.map((load) => [load.perTopic, load.text.length, load.acked, load] as const)

test.each(named)(
  'behavior: memory: %i a topic of %i bytes, acknowledged %s: counted as what they take',
  async (_, __, ___, load) => {
    const mailbox = createMemoryMailbox({ now: Date.now })
    const before = await heapBytes()
    const counted = await fill(mailbox, load)
    const grown = (await heapBytes()) - before
    expect(grown / counted).toBeLessThan(1.1)
    // A message without content may take 460 of the 1,536 bytes of overhead.
    expect(grown / counted).toBeGreaterThan(0.2)
  },
)

test.each(named)(
  'behavior: Redis: %i a topic of %i bytes, acknowledged %s: counted as no less than they take',
  async (_, __, ___, load) => {
    const redis = await startRedis()
    const admin = new Redis(redis.url)
    onTestFinished(async () => {
      admin.disconnect()
      await redis.stop()
    })
    const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await admin.info('memory'))?.[1])
    const limits = { bytesPerTopic: 1_000_000_000 }
    const mailbox = await createRedisMailbox({
      url: redis.url,
      log: pino({ level: 'silent' }),
      limits,
      answerMs: 60_000,
    })
    await mailbox.readTopics('nobody')
    const before = await usedBytes()
    const counted = await fill(mailbox, load)
    expect(((await usedBytes()) - before) / counted).toBeLessThan(1.1)
    await mailbox.close()
  },
)
