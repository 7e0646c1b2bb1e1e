import { expect, test } from 'vitest'
import { isNewerRealm, nextRealm, parseMove, walletRealm } from './moves.ts'

const sideOf = (digit: string, realm: string) => ({
  walletId: digit.repeat(32),
  realm,
  addresses: { eip155: `0x${digit.repeat(40)}`, solana: digit.repeat(40) },
})
const old = sideOf('1', 'main')
const fresh = sideOf('2', 'main-1764000000')
const textOf = (facts: object) => JSON.stringify({ v: 1, userId: 'ann', ...facts })

test('default: a move leads from a wallet to a newer one', () => {
  expect(parseMove(textOf({ from: old, to: fresh }))).toMatchObject({ from: old, to: fresh })
})

test('error: a move back, to the same wallet, to the same addresses, or with more than its facts', () => {
  const { eip155, solana } = fresh.addresses
  for (const facts of [
    { from: fresh, to: old },
    { from: fresh, to: { ...fresh, walletId: old.walletId } },
    { from: old, to: { ...fresh, walletId: old.walletId } },
    { from: old, to: { ...fresh, addresses: { ...old.addresses, solana } } },
    { from: old, to: { ...fresh, addresses: { ...old.addresses, eip155 } } },
    { from: old, to: { ...fresh, realm: 'main-0' } },
    { from: old, to: { ...fresh, realm: 'other-2' } },
    { from: old, to: fresh, more: 1 },
  ])
    expect(() => parseMove(textOf(facts))).toThrow()
})

test('behavior: the next wallet is newer than the last, even if the clock went backwards', () => {
  const first = nextRealm('main', 1_764_000_000_500)
  expect(first).toBe('main-1764000000')
  const second = nextRealm(first, 0)
  expect(second).toBe('main-1764000001')
  for (const realm of [first, second]) expect(walletRealm.parse(realm)).toBe(realm)
  expect(isNewerRealm(first, 'main')).toBe(true)
  expect(isNewerRealm(second, first)).toBe(true)
  expect(isNewerRealm(first, second)).toBe(false)
  expect(isNewerRealm('main', 'main')).toBe(false)
})
