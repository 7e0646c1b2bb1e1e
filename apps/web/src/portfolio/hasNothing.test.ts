import { latchkeyOne, latchkeyTwo, type Network } from '@latchkey/core/networks'
import { expect, test } from 'vitest'
import { hasNothing } from './hasNothing.ts'

function row(numeric: string, network: Network = latchkeyOne) {
  const quantity = { decimals: '18', numeric }
  const balance = { name: 'Ether', symbol: 'ETH', quantity, iconUrl: '' }
  return { balance, network, account: '0x1' }
}

const own = { failedAtMs: undefined, error: null }
const empty = [row('0'), row('0.000', latchkeyTwo)]

test('default: every balance is zero', () => {
  expect(hasNothing({ rows: empty, missing: [], own })).toBe(true)
  expect(hasNothing({ rows: [], missing: [], own })).toBe(true)
})

test('behavior: another account, or another network, holds something', () => {
  expect(hasNothing({ rows: [...empty, row('0.01', latchkeyTwo)], missing: [], own })).toBe(false)
})

test('behavior: what could not be read may be there', () => {
  expect(hasNothing({ rows: undefined, missing: [], own })).toBe(false)
  expect(hasNothing({ rows: empty, missing: [latchkeyTwo], own })).toBe(false)
  expect(hasNothing({ rows: empty, missing: [], own: { ...own, failedAtMs: 1 } })).toBe(false)
  expect(hasNothing({ rows: empty, missing: [], own: { ...own, error: new Error() } })).toBe(false)
})
