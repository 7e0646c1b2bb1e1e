import { expect, test } from 'vitest'
import { getMessageId, overheadBytes } from '../mailbox/mailbox.ts'
import { createMemoryMailbox } from '../mailbox/memoryMailbox.ts'
import { limitMailbox } from './limitMailbox.ts'
import { createQuotaBook } from './quotaBook.ts'

/** The size that a message of one letter counts as. */
const tiny = overheadBytes + 1

const topicOf = (number: number) => number.toString(16).padStart(64, '0')

/** Room for `ofClient` bytes of a client, twice as much for an address, and four times in total. */
function setUp(ofClient: number, maxMs?: number) {
  const clock = { nowMs: 1_700_000_000_000 }
  const now = () => clock.nowMs
  const kind = (bytes: number) => ({ rateFactor: 1, sockets: 9, subscriptions: 9, bytes })
  const quotas = createQuotaBook({
    now,
    limits: {
      rate: { capacity: 9, refillPerSecond: 1 },
      client: kind(ofClient),
      address: kind(2 * ofClient),
      project: kind(9 * ofClient),
    },
  })
  const kept = createMemoryMailbox({ now, limits: { bytes: 4 * ofClient } })
  const mailbox = limitMailbox(kept, { quotas, now, maxMs })
  const enter = (client: string, address: string) => {
    const mine = quotas.get({ client, address, project: 'p' })
    quotas.enter(client, mine)
    return mine
  }
  const publish = async (client: string, message: string, topic = topicOf(0), more = {}) => {
    const publication = { topic, message, ttlSeconds: 300, tag: 0, ...more }
    const outcome = await mailbox.publish(client, publication)
    return typeof outcome === 'string' ? outcome : 'kept'
  }
  return { clock, quotas, mailbox, enter, publish }
}

test('behavior: the smallest messages of one address leave room for others', async () => {
  const { enter, publish, mailbox } = setUp(20_000)
  for (const client of ['a', 'b', 'c']) enter(client, 'one')
  enter('d', 'two')
  for (let number = 0; number < 300; number++) {
    const client = ['a', 'b', 'c'][number % 3] ?? ''
    await publish(client, `${number}`, topicOf(number))
  }
  expect(mailbox.size().bytes).toBeLessThanOrEqual(2 * 20_000)
  expect(await publish('a', 'more')).toBe('full')
  expect(await publish('d', 'mine')).toBe('kept')
})

test('behavior: a quota counts what the mailbox counts, attestations of any letters too', async () => {
  const { enter, publish, mailbox } = setUp(20_000)
  const mine = enter('a', 'one')
  await publish('a', 'né', topicOf(1), { attestation: '€€' })
  await publish('a', 'more')
  for (const { bytes } of mine) expect(bytes).toBe(mailbox.size().bytes)
})

test('behavior: an acknowledgement of the publisher itself releases nothing; expiry does', async () => {
  const { clock, enter, publish, mailbox } = setUp(tiny + 100)
  const [client] = enter('a', 'one')
  enter('b', 'one')
  await publish('a', 'm')
  await mailbox.acknowledge('a', topicOf(0), getMessageId('m'))
  expect(client?.bytes).toBe(tiny)
  expect(await publish('a', 'n')).toBe('full')
  clock.nowMs += 361_000
  await mailbox.sweep()
  expect(await publish('a', 'n')).toBe('kept')
  await mailbox.acknowledge('b', topicOf(0), getMessageId('n'))
  expect(client?.bytes).toBe(0)
})

test('param: maxMs: of a shared mailbox only another address releases', async () => {
  const { enter, publish, mailbox } = setUp(tiny + 100, 300_000)
  const [client] = enter('a', 'one')
  enter('b', 'one')
  enter('c', 'two')
  await publish('a', 'm')
  for (const other of ['a', 'b', 'gone'])
    await mailbox.acknowledge(other, topicOf(0), getMessageId('m'))
  expect(client?.bytes).toBe(tiny)
  await mailbox.acknowledge('c', topicOf(0), getMessageId('m'))
  expect(client?.bytes).toBe(0)
})

test('behavior: a client that has left is remembered while its messages count', async () => {
  const { quotas, enter, publish } = setUp(tiny + 100)
  const mine = enter('a', 'one')
  await publish('a', 'm')
  quotas.leave(mine)
  quotas.sweep()
  expect(await publish('a', 'n')).toBe('full')
})
