import type { Allowance, Balance } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { rankAllowances, sumRisks } from './rankAllowances.ts'

const nowMs = Date.parse('2026-06-01T00:00:00Z')
const dollar = 'eip155:31337:0xaaaa'
const unlisted = 'eip155:31337:0xbbbb'

/** The wallet writes addresses with a checksum, the server in lower case. */
const balances: readonly Balance[] = [
  {
    ...{ name: 'Dev USD', symbol: 'dUSD', address: 'eip155:31337:0xAaAa', price: 1, iconUrl: '' },
    quantity: { decimals: '6', numeric: '4502' },
  },
]

const token = (address: string) => ({ address, name: null, symbol: null, iconUrl: null })

/** An allowance of 100 of 4 502 dollars. */
const allow = (changes: Partial<Allowance> = {}): Allowance => ({
  ...{ kind: 'erc20', token: token(dollar), tokenId: null, spender: '0x01', spenderName: null },
  ...{ amount: '100', balance: '4502', isUnlimited: false, expiresAt: null, isSpam: false },
  changedAt: '2026-05-01T00:00:00Z',
  ...changes,
})

const rank = (...allowances: Allowance[]) => rankAllowances(allowances, { balances, nowMs })

type Expected = [takes: string, amount: string | undefined, dollars: number | undefined]

test.each<[string, Partial<Allowance>, Expected]>([
  ['a part of the balance', {}, ['part', '100', 100]],
  ['the balance', { amount: '4502' }, ['all', '4502', 4502]],
  ['more than the balance', { amount: '1000000' }, ['all', '4502', 4502]],
  ['any amount', { isUnlimited: true, amount: '9'.repeat(78) }, ['all', '4502', 4502]],
  ['nothing to take', { isUnlimited: true, balance: '0' }, ['nothing', undefined, 0]],
  ['an unknown balance', { balance: undefined }, ['unknown', '100', undefined]],
  [
    'any amount of an unknown balance',
    { balance: undefined, isUnlimited: true },
    ['unknown', undefined, undefined],
  ],
  ['an unknown limit', { amount: null }, ['unknown', undefined, undefined]],
  ['no known price', { token: token(unlisted) }, ['part', '100', undefined]],
  ['all NFTs', { kind: 'operator', amount: null }, ['all', undefined, undefined]],
  [
    'an expired allowance',
    { kind: 'permit2', expiresAt: '2026-05-31T23:59:59Z' },
    ['expired', undefined, 0],
  ],
])('default: %s', (_, changes, expected) => {
  const found = rank(allow(changes)).map(({ takes, amount, dollars }) => [takes, amount, dollars])
  expect(found).toEqual([expected])
})

test('behavior: the last of 18 decimals decides whether it is all', () => {
  const amount = '4501.999999999999999999'
  expect(rank(allow({ amount }))).toMatchObject([{ takes: 'part', amount }])
})

test('behavior: the riskiest and the oldest are first, nothing and expired are last', () => {
  const order = [
    allow({ spender: 'no limit', isUnlimited: true, token: token(unlisted) }),
    allow({ spender: 'much', amount: '900', spenderName: 'Uniswap' }),
    allow({ spender: 'old', changedAt: '2024-05-01T00:00:00Z' }),
    allow({ spender: 'young' }),
    allow({ spender: 'known', kind: 'operator', amount: null, spenderName: 'Uniswap' }),
    allow({ spender: 'nothing', isUnlimited: true, balance: '0' }),
    allow({ spender: 'expired', isUnlimited: true, expiresAt: '2026-01-01T00:00:00Z' }),
  ]
  const spenders = (ranked: ReturnType<typeof rank>) =>
    ranked.map(({ allowance }) => allowance.spender)
  expect(spenders(rank(...order.toReversed()))).toEqual(order.map(({ spender }) => spender))
})

test('behavior: an allowance without a limit is old after 90 days', () => {
  const at = (days: number) => new Date(nowMs - days * 86_400_000).toISOString()
  const old = (changes: Partial<Allowance>) => rank(allow(changes))[0]?.isOld
  expect(old({ isUnlimited: true, changedAt: at(91) })).toBe(true)
  expect(old({ kind: 'operator', changedAt: at(91) })).toBe(true)
  expect(old({ isUnlimited: true, changedAt: at(89) })).toBe(false)
  expect(old({ changedAt: at(900) })).toBe(false)
})

test('behavior: a sum counts a balance once, and each app that can take something', () => {
  const known = [
    allow({ isUnlimited: true }),
    allow({ spender: '0x02' }),
    allow({ spender: '0x02', kind: 'permit2' }),
    allow({ spender: '0x03', token: token(unlisted), balance: '0' }),
  ]
  expect(sumRisks(rank(...known))).toEqual({ dollars: 4502, isComplete: true, spenders: 2 })
  const parts = [allow(), allow({ spender: '0x02' })]
  expect(sumRisks(rank(...parts))).toEqual({ dollars: 200, isComplete: true, spenders: 2 })
  const unknown = [...parts, allow({ spender: '0x03', kind: 'operator' })]
  expect(sumRisks(rank(...unknown))).toEqual({ dollars: 200, isComplete: false, spenders: 3 })
})
