import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRedis } from '../../test/startRedis.ts'
import type { Kv } from './kv.ts'
import { createMemoryKv } from './memoryKv.ts'
import { createRedisKv } from './redisKv.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const log = pino({ level: 'silent' })

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())

describe.each<[string, () => Promise<Kv>]>([
  ['memory', async () => createMemoryKv(Date.now)],
  ['redis', () => createRedisKv(redis.url, log, 60_000)],
])('%s', (_, open) => {
  let kv: Kv
  beforeAll(async () => {
    kv = await open()
  })
  afterAll(() => kv.close())

  test('default: places are taken together and left again', async () => {
    const places = [
      { key: 'all', most: 2 },
      { key: 'one', most: 1 },
    ]
    expect(await kv.enter(places)).toBeUndefined()
    expect(await kv.enter(places)).toBe('one')
    expect(await kv.enter([{ key: 'all', most: 2 }])).toBeUndefined()
    expect(await kv.enter([{ key: 'all', most: 2 }])).toBe('all')
    kv.leave(['all', 'one'])
    expect(await kv.enter(places)).toBeUndefined()
    kv.leave(['all', 'all', 'one'])
  })

  test('default: a value can be read, replaced and deleted', async () => {
    expect(await kv.get('a')).toBeUndefined()
    await kv.set('a', 'one', 60)
    await kv.set('a', 'two ✓', 60)
    expect(await kv.get('a')).toBe('two ✓')
    await kv.set('empty', '', 60)
    expect(await kv.get('empty')).toBe('')
    await kv.delete('a')
    await kv.delete('never there')
    expect(await kv.get('a')).toBeUndefined()
  })

  test('default: many are read at once, in their order', async () => {
    await kv.set('first', '1', 60)
    await kv.set('second', '2', 60)
    expect(await kv.getMany(['second', 'nobody', 'first'])).toEqual(['2', undefined, '1'])
    expect(await kv.getMany([])).toEqual([])
  })

  test('param: ttlSeconds, fractions too', async () => {
    // Sent together, so that no stall of the machine comes between.
    const [, , short] = await Promise.all([
      kv.set('short', 'x', 0.5),
      kv.set('long', 'x', 60),
      kv.get('short'),
    ])
    expect(short).toBe('x')
    await pause(600)
    expect(await kv.get('short')).toBeUndefined()
    expect(await kv.get('long')).toBe('x')
  })

  test('behavior: a bucket empties, says when to return, and refills', async () => {
    const bucket = { capacity: 2, refillPerSecond: 1 }
    // Sent together, so that nothing refills in between.
    const take = (key: string) => kv.take(key, bucket)
    const [first, second, refused] = await Promise.all([take('b'), take('b'), take('b')])
    expect(first).toEqual({ allowed: true, retryAfterSeconds: 0 })
    expect(second.allowed).toBe(true)
    expect(refused.allowed).toBe(false)
    expect(refused.retryAfterSeconds).toBeGreaterThan(0)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(1)
    expect((await take('another')).allowed).toBe(true)
    await pause(refused.retryAfterSeconds * 1000 + 30)
    // After a long stall both tokens are back, and never more.
    const [again, , over] = await Promise.all([take('b'), take('b'), take('b')])
    expect([again.allowed, over.allowed]).toEqual([true, false])
  })

  test('param: a cost is taken at once, and a shortage is owed', async () => {
    const bucket = { capacity: 2, refillPerSecond: 0.1 }
    expect((await kv.take('batch', bucket, 12)).allowed).toBe(true)
    const refused = await kv.take('batch', bucket)
    expect(refused.allowed).toBe(false)
    expect(refused.retryAfterSeconds).toBeGreaterThan(100)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(110)
  })

  test('behavior: takes that come together get exactly the capacity', async () => {
    const bucket = { capacity: 10, refillPerSecond: 0.001 }
    const takes = await Promise.all(Array.from({ length: 50 }, () => kv.take('crowd', bucket)))
    expect(takes.filter((take) => take.allowed)).toHaveLength(10)
  })

  test('behavior: ping answers', async () => {
    await expect(kv.ping()).resolves.toBeUndefined()
  })
})

test('behavior: memory keeps to its size, the oldest go first', async () => {
  const kv = createMemoryKv(Date.now, 3)
  for (const key of ['a', 'b', 'c', 'd']) await kv.set(key, key, 60)
  expect(await kv.get('a')).toBeUndefined()
  expect(await kv.get('b')).toBe('b')
  expect(await kv.get('d')).toBe('d')
})

test('behavior: many buckets of one kind do not refill the buckets of another', async () => {
  const kv = createMemoryKv(Date.now, 100)
  const day = { capacity: 1, refillPerSecond: 1 / 86_400 }
  await kv.take('mail:all', day)
  for (let index = 0; index < 1_000; index++)
    await kv.take(`rate:/v1:2001:db8:0:${index.toString(16)}::/64`, day)
  expect((await kv.take('mail:all', day)).allowed).toBe(false)
})

test('behavior: values have a limit in bytes, and many of one kind do not displace the values of another', async () => {
  const kv = createMemoryKv(Date.now)
  await kv.set('price:a', '1', 60)
  for (let index = 0; index < 4_000; index++)
    await kv.set(`esplora:${index}`, index.toString(16).padStart(65_536, 'f'), 60)
  expect(await kv.get('price:a')).toBe('1')
  expect(await kv.get('esplora:3999')).toBeDefined()
  const kept = await kv.getMany(Array.from({ length: 4_000 }, (_, index) => `esplora:${index}`))
  const bytes = kept.reduce((sum, value) => sum + 2 * (value?.length ?? 0), 0)
  expect(bytes).toBeLessThanOrEqual(64 * 1_048_576)
})

test('behavior: expired values make room before old ones', async () => {
  const clock = { ms: 0 }
  const kv = createMemoryKv(() => clock.ms, 3)
  await kv.set('old', 'x', 60)
  await kv.set('over', 'x', 1)
  await kv.set('over too', 'x', 1)
  clock.ms = 1_000
  await kv.set('new', 'x', 60)
  await kv.set('newer', 'x', 60)
  expect(await kv.get('old')).toBe('x')
})

test('behavior: two connections share one Redis', async () => {
  const one = await createRedisKv(redis.url, log, 60_000)
  const two = await createRedisKv(redis.url, log, 60_000)
  await one.set('shared', 'yes', 60)
  expect(await two.get('shared')).toBe('yes')
  await Promise.all([one.close(), two.close()])
})

test('behavior: places count for all processes, until a process ends or is killed', async () => {
  const one = await createRedisKv(redis.url, log, 60_000)
  const two = await createRedisKv(redis.url, log, 60_000)
  const places = [{ key: 'shared', most: 3 }]
  for (let times = 0; times < 3; times++) expect(await one.enter(places)).toBeUndefined()
  expect(await two.enter(places)).toBe('shared')
  await one.close()
  await expect.poll(() => two.enter(places)).toBeUndefined()
  const three = await createRedisKv(redis.url, log, 60_000)
  for (let times = 0; times < 2; times++) expect(await three.enter(places)).toBeUndefined()
  expect(await three.enter(places)).toBe('shared')
  // A killed process is silent. Its last heartbeat is moved to the past.
  const admin = new Redis(redis.url)
  const processes = await admin.zrange('latchkey:open:processes', '0', '-1')
  for (const id of processes) await admin.zadd('latchkey:open:processes', 1, id)
  expect(await three.enter(places)).toBeUndefined()
  admin.disconnect()
  await Promise.all([two.close(), three.close()])
})

test('behavior: a process keeps its own limits without Redis, and counts again when Redis is back empty', async () => {
  const one = await createRedisKv(redis.url, log, 60_000)
  const two = await createRedisKv(redis.url, log, 60_000)
  const places = [{ key: 'restored', most: 2 }]
  for (let times = 0; times < 2; times++) expect(await one.enter(places)).toBeUndefined()
  const admin = new Redis(redis.url)
  await admin.flushall()
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  expect(await one.enter(places)).toBe('restored')
  await expect.poll(() => admin.exists('latchkey:open:restored')).toBe(1)
  await expect.poll(() => two.enter(places)).toBe('restored')
  admin.disconnect()
  await Promise.all([one.close(), two.close()])
})

test('error: a Redis that goes away rejects at once, and so does a Redis that was never available', async () => {
  const gone = await startRedis()
  const before = await createRedisKv(gone.url, log, 60_000)
  await before.ping()
  await gone.stop()
  await expect(before.take('x', { capacity: 1, refillPerSecond: 1 })).rejects.toThrow()
  await before.close()
  const kv = await createRedisKv(gone.url, log)
  const startedAtMs = performance.now()
  await expect(kv.ping()).rejects.toThrow()
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
  await kv.close()
})
