import { beforeEach, expect, test, vi } from 'vitest'
import { maxWatched, readWatched, subscribeWatched, unwatch, watch } from './watched.ts'

const alice = {
  namespace: 'eip155',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
} as const
const bob = { namespace: 'solana', address: 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96' } as const

beforeEach(() => {
  const entries = new Map<string, string>()
  const events = new EventTarget()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  })
  vi.stubGlobal('window', events)
  return () => vi.unstubAllGlobals()
})

test('default: keeps the order in which accounts were added, each once, and tells listeners', () => {
  const listener = vi.fn()
  const stop = subscribeWatched(listener)
  watch(alice)
  watch(bob)
  watch(alice)
  expect(readWatched()).toEqual([alice, bob])
  expect(listener).toHaveBeenCalledTimes(2)
  unwatch(alice)
  stop()
  watch(alice)
  expect(readWatched()).toEqual([bob, alice])
  expect(listener).toHaveBeenCalledTimes(3)
})

test('behavior: an account has the name by which it was added', () => {
  watch({ ...alice, name: 'alice.eth' })
  expect(readWatched()).toEqual([{ ...alice, name: 'alice.eth' }])
})

test('behavior: the same list is the same object until it changes', () => {
  watch(alice)
  expect(readWatched()).toBe(readWatched())
})

test('behavior: at most so many', () => {
  for (let index = 0; index <= maxWatched; index++) watch({ ...alice, address: `0x${index}` })
  expect(readWatched()).toHaveLength(maxWatched)
})

test.each([
  'not json',
  '{}',
  '[null, 1, "x", {"namespace":"eip155"}]',
  '[{"namespace":"__proto__","address":"0x1"}]',
  '[{"namespace":"eip155","address":"<b>"}]',
  '[{"namespace":"eip155","address":"0x1","name":"a\u202eb"}]',
  '[{"namespace":"eip155","address":"0x1","name":1}]',
])('behavior: what is not valid is left out: %s', (stored) => {
  localStorage.setItem('latchkey.web.watched', stored)
  expect(readWatched()).toEqual([])
})

test('error: the browser refuses to store', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect(() => watch(alice)).toThrow('full')
})
