import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { heldActivity } from '../../test/heldActivity.ts'
import { createMemoryKv } from '../kv/memoryKv.ts'
import { createAnswerCache } from './balanceCache.ts'
import type { Discovery } from './holding.ts'

const chainIds = ['eip155:1', 'eip155:2'] as const
const question = { key: 'a', owner: '0xa1', chainIds, seconds: 2 } as const

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function start() {
  const { activity: held, listening, tell } = heldActivity([])
  const ways = new Set<unknown>()
  const activity: Discovery = {
    ...held,
    listen(account, listener, quiet) {
      ways.add(quiet)
      return held.listen(account, listener)
    },
  }
  const kept = createAnswerCache({ kv: createMemoryKv(Date.now), events: activity })
  const fill = (text: string, keep = true) => kept.fill(question, async () => ({ text, keep }))
  return { kept, fill, listening, tell, ways }
}

test('behavior: listens as long as an answer is cached, even without further requests', async () => {
  const { kept, fill, listening, ways } = start()
  await fill('one')
  await vi.advanceTimersByTimeAsync(1_999)
  expect(listening()).toBe(2)
  // A quiet listener must not cause more reads of the chains.
  expect([...ways]).toEqual(['quiet'])
  expect(await kept.get('a')).toBe('one')
  await vi.advanceTimersByTimeAsync(1)
  expect(listening()).toBe(0)
  expect(await kept.get('a')).toBeUndefined()
})

test('behavior: a new answer is listened for in place of the one before, for all of its time', async () => {
  const { kept, fill, listening, tell } = start()
  await fill('one')
  await vi.advanceTimersByTimeAsync(1_200)
  await fill('two')
  expect(listening()).toBe(2)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(await kept.get('a')).toBe('two')
  tell('eip155:2', 'changed')
  expect(await kept.get('a')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(listening()).toBe(0)
})

test('behavior: no listener for an answer that is not cached', async () => {
  const { kept, fill, listening, tell } = start()
  await fill('half', false)
  expect(listening()).toBe(0)
  const read = async () => {
    tell('eip155:1', 'changed')
    return { text: 'stale', keep: true }
  }
  expect(await kept.fill(question, read)).toBe('stale')
  expect(listening()).toBe(0)
  expect(await kept.get('a')).toBeUndefined()
})

test('error: no listener for an answer that could not be read', async () => {
  const { kept, listening } = start()
  const failing = kept.fill(question, () => Promise.reject(new Error('away')))
  await expect(failing).rejects.toThrow('away')
  expect(listening()).toBe(0)
})

test.each([
  ['the account changed', ({ tell }: ReturnType<typeof start>) => tell('eip155:1', 'changed')],
  ['it was forgotten', ({ kept }: ReturnType<typeof start>) => void kept.forget(['a'])],
])(
  'behavior: nobody joins a read that began before %s, nor is its answer kept',
  async (_, change) => {
    const started = start()
    const { kept, fill, listening } = started
    let end = () => {}
    const before = kept.fill(question, async () => {
      await new Promise<void>((resolve) => {
        end = resolve
      })
      return { text: 'before', keep: true }
    })
    const joined = fill('never read')
    change(started)
    expect(await fill('after')).toBe('after')
    end()
    expect(await Promise.all([before, joined])).toEqual(['before', 'before'])
    expect(await kept.get('a')).toBe('after')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(listening()).toBe(0)
  },
)
