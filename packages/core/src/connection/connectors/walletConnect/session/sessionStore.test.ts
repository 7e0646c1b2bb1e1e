import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClientStorage } from '../clientStorage.ts'
import { createSessionStore } from './sessionStore.ts'

const setUp = () => {
  let nowMs = 1_000
  const storage = createClientStorage({ prefix: '', area: undefined, events: undefined })
  const memory = createSessionStore(storage, () => nowMs)
  return { storage, memory, advance: (ms: number) => (nowMs += ms) }
}

const session = {
  topic: 'aa',
  wallet: { name: 'Trust', walletId: 'w' },
  chains: { eip155: 'eip155:1' },
  accounts: { eip155: ['0x1'] },
} as const

test('default', () => {
  const { memory, storage } = setUp()
  expect(memory.session()).toBeUndefined()
  memory.setSession(session)
  expect(memory.session()).toEqual(session)
  memory.setSession(undefined)
  expect(memory.session()).toBeUndefined()
  expect(storage.keys()).toEqual([])
})

test('behavior: a pairing is removed when it can no longer be answered', () => {
  const { memory, advance } = setUp()
  const pairing = { pairingTopic: 'aa', uri: 'wc:', renewAtMs: 2_000, expiresAtMs: 3_000 }
  memory.setPairings([pairing])
  advance(1_999)
  expect(memory.pairings()).toEqual([pairing])
  advance(1)
  expect(memory.pairings()).toEqual([])
})

test('behavior: calls are kept for a day', () => {
  const { memory, advance } = setUp()
  const calls = { atMs: 1_000, chainId: 'eip155:1', hashes: ['0xab'] } as const
  memory.addCalls('one', calls)
  memory.addCalls('__proto__', calls)
  expect(memory.calls('one')).toEqual(calls)
  expect(memory.calls('constructor')).toBeUndefined()
  advance(86_400_000)
  expect(memory.calls('one')).toBeUndefined()
})

test('behavior: never throws, for any content of the storage', () => {
  const { memory, storage } = setUp()
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      for (const key of ['session', 'offers', 'calls']) storage.set(key, text)
      memory.session()
      expect(Array.isArray(memory.pairings())).toBe(true)
      expect(memory.calls('one')).toBeUndefined()
    }),
  )
})
