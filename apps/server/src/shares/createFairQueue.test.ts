import { expect, test } from 'vitest'
import { createFairQueue, QueueFull } from './createFairQueue.ts'

/** Work that ends on demand. */
function hold() {
  const open: (() => void)[] = []
  const started: string[] = []
  const start = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name)
      open.push(() => resolve(name))
    })
  return { started, start, finish: (index: number) => open[index]?.() }
}

test('default: few run at once, and keys take turns', async () => {
  const queue = createFairQueue({ atOnce: 2, perKey: 1, waiting: 10 })
  const { started, start, finish } = hold()
  const first = queue('a', start('a1'))
  const all = ['a2', 'a3', 'b1', 'c1'].map((name) => queue(name.slice(0, 1), start(name)))
  await expect.poll(() => started).toEqual(['a1', 'b1'])
  finish(0)
  expect(await first).toBe('a1')
  await expect.poll(() => started).toEqual(['a1', 'b1', 'a2'])
  finish(1)
  await expect.poll(() => started).toEqual(['a1', 'b1', 'a2', 'c1'])
  finish(2)
  await expect.poll(() => started).toHaveLength(5)
  finish(3)
  finish(4)
  expect(await Promise.all(all)).toEqual(['a2', 'a3', 'b1', 'c1'])
})

test('error: what is too much to wait is refused, and an error leaves its place', async () => {
  const queue = createFairQueue({ atOnce: 1, perKey: 1, waiting: 1 })
  const { start, finish } = hold()
  const first = queue('a', start('a'))
  const second = queue('b', async () => {
    throw new Error('failed')
  })
  await expect(queue('c', start('c'))).rejects.toBeInstanceOf(QueueFull)
  finish(0)
  await first
  await expect(second).rejects.toThrow('failed')
  expect(await queue('d', async () => 'd')).toBe('d')
})

test('param: after work that took long the place stays empty for a while', async () => {
  const queue = createFairQueue({ atOnce: 1, perKey: 1, waiting: 5, restMs: () => 30 })
  const endedAtMs = await queue('a', async () => performance.now())
  const startedAtMs = await queue('b', async () => performance.now())
  expect(startedAtMs - endedAtMs).toBeGreaterThanOrEqual(29)
})

test('error: work whose turn does not come in time is refused, and the others keep their turns', async () => {
  const queue = createFairQueue({ atOnce: 1, perKey: 1, waiting: 5, maxWaitMs: 20 })
  const { start, finish } = hold()
  const first = queue('a', start('a'))
  await expect(queue('b', start('b'))).rejects.toBeInstanceOf(QueueFull)
  const next = queue('b', async () => 'next')
  finish(0)
  expect(await first).toBe('a')
  expect(await next).toBe('next')
})

test('security: a key that fills the queue keeps no other key out, and loses its last work', async () => {
  const queue = createFairQueue({ atOnce: 1, perKey: 1, waiting: 4 })
  const { started, start, finish } = hold()
  const crowd = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => queue('a', start(name)))
  const lost = [crowd[4], crowd[3]].map((one) => expect(one).rejects.toBeInstanceOf(QueueFull))
  const others = ['b', 'c'].map((name) => queue(name, start(name)))
  await Promise.all(lost)
  // Two tasks of `a` wait, and one task of each other key: the difference is too small to refuse
  // another.
  await expect(queue('a', start('a6'))).rejects.toBeInstanceOf(QueueFull)
  for (const index of [0, 1, 2, 3, 4]) {
    await expect.poll(() => started.length).toBeGreaterThan(index)
    finish(index)
  }
  expect(await Promise.all(others)).toEqual(['b', 'c'])
  expect(started).toEqual(['a1', 'a2', 'b', 'c', 'a3'])
})
