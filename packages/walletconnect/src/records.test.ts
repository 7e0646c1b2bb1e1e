import { expect, test } from 'vitest'
import { createTestStorage } from '../test/testingStorage.ts'
import { getSurplus, openRecords } from './records.ts'

test('behavior: the records that expire first are removed first', () => {
  const { pairings } = openRecords(createTestStorage().tab())
  for (const [at, expirySeconds] of [30, 10, 20].entries()) {
    const topic = String(at).repeat(64)
    const pairing = { topic, key: topic, relayUrl: 'wss://relay.test', expirySeconds }
    pairings.set(topic, { ...pairing, isActive: false, signsIn: false })
  }
  expect(getSurplus(pairings, 1)).toEqual(['1'.repeat(64), '2'.repeat(64)])
  expect(getSurplus(pairings, 3)).toEqual([])
})
