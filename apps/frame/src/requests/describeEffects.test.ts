import { LatchkeyError, nodesDisagreeCode, sanitizeText } from '@latchkey/wire'
import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  type ChainAnswers,
  dollars,
  evmChain,
} from '../../test/testRequest.ts'
import type { ReadChain } from '../readChain.ts'
import { describeEffects } from './describeEffects.ts'
import { type EvmCall, readCall } from './evm/readCall.ts'
import { sanitizeName } from './sanitizeName.ts'

const friend = '0x1234560000000000000000000000000000009876'
const double = '0x1234567777777777777777777777777777779876'
const stranger = '0x5555555555555555555555555555555555555555'
const token = '0x00000000000000000000000000000000000000dd'

const describe = (said: ChainAnswers, call: EvmCall) => {
  const known = [friend.toLowerCase(), token]
  const context = {
    chain: evmChain,
    account,
    known,
    read: answerReads(said),
    now: Date.now,
    fetchDescription: async () => undefined,
  }
  return describeEffects(context, readCall(call, account), false)
}

type Described = Awaited<ReturnType<typeof describe>>
const texts = (described: Described) => described.warnings.map(({ text }) => text)
const levels = (described: Described) => described.warnings.map(({ level }) => level)
const transfer = (to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
const approve = (amount: bigint, spender: Hex = friend) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const plain = (symbol: string, decimals: bigint | undefined): ChainAnswers => ({ symbol, decimals })

test('default: native value to a known address', async () => {
  const call = { to: friend, value: 10n ** 18n, data: '0x' } as const
  const described = await describe(plain('X', 0n), call)
  expect(described.title).toBe('Send 1 ETH?')
  expect(described.groups).toMatchObject([
    { label: 'Leaves your wallet', rows: [{ value: '1 ETH' }, { label: 'To', isNew: false }] },
  ])
  expect(described.warnings).toEqual([])
})

test('default: formats a token by the decimals from our own RPC', async () => {
  const call = { to: token, value: 0n, data: transfer(friend, 1_500_000n) } as const
  expect((await describe(plain('USD', 6n), call)).title).toBe('Send 1.5 USD?')
  const silent = await describe(plain('USD', undefined), call)
  expect(silent.title).toContain('1500000 smallest units')
  expect(texts(silent)).toContain('The token has no readable name or decimals.')
})

test('behavior: warns about a new address, and about an address that imitates a known one', async () => {
  const first = await describe(plain('X', 0n), { to: stranger, value: 1n, data: '0x' })
  expect(texts(first)).toEqual(['You have never sent to this address.'])
  expect(first.groups[0]?.rows).toContainEqual({ label: 'To', address: stranger, isNew: true })
  const alike = await describe(plain('X', 0n), { to: double, value: 1n, data: '0x' })
  expect(texts(alike)[0]).toContain('looks like one you know')
})

test('behavior: no limit, and data that cannot be read', async () => {
  const call = { to: token, value: 0n, data: approve(maxUint256) } as const
  const described = await describe(dollars, call)
  expect(described.title).toBe('Let someone else take unlimited USD?')
  expect(described.groups[0]?.rows[0]?.value).toBe('Unlimited USD')
  expect(texts(described)[0]).toContain('There is no limit')
  const raw = await describe(plain('X', 0n), { to: token, value: 0n, data: '0x12345678' })
  expect(texts(raw)).toEqual(['This call could not be read. It can do anything your account can.'])
})

test.each<[string, bigint, ChainAnswers, 'danger' | 'caution', RegExp]>([
  ['a part of the balance', 99_999_999n, dollars, 'caution', /could take 99\.999999 USD, at any/],
  ['the whole balance', 100_000_000n, dollars, 'danger', /all your USD/],
  ['all there is', 10n ** 12n, dollars, 'danger', /no limit/],
  ['2^128', 2n ** 128n, dollars, 'danger', /no limit/],
  ['2^158', 2n ** 158n, dollars, 'danger', /no limit/],
  ['more than is owned, nothing', 1n, { ...dollars, balance: 0n }, 'danger', /all your USD/],
])('param: an allowance of %s', async (_, amount, said, level, text) => {
  const described = await describe(said, { to: token, value: 0n, data: approve(amount) })
  expect(described.warnings[0]).toMatchObject({ level, text: expect.stringMatching(text) })
})

test('error: an allowance gets a warning for any response of the chain, or none', async () => {
  const number = fc.option(fc.bigInt({ min: 0n, max: maxUint256 }), { nil: undefined })
  const amount = fc.oneof(fc.bigInt({ min: 1n, max: maxUint256 }), fc.constant(2n ** 158n))
  await fc.assert(
    fc.asyncProperty(amount, number, number, number, async (asked, decimals, balance, supply) => {
      const said = { symbol: 'USD', decimals, balance, supply }
      const described = await describe(said, { to: token, value: 0n, data: approve(asked) })
      expect(described.title).toContain('Let someone else take')
      expect(described.warnings.length).toBeGreaterThan(0)
      const isCompared = balance !== undefined && supply !== undefined && balance <= supply
      if (!isCompared || asked >= balance || asked >= 2n ** 128n)
        expect(levels(described)).toContain('danger')
    }),
  )
})

test('error: 0 of a possible collection is its first item, not a revoked allowance', async () => {
  const call = { to: token, value: 0n, data: approve(0n, stranger) } as const
  expect((await describe(dollars, call)).title).toBe('Take back an allowance?')
  for (const decimals of [undefined, 0n]) {
    const described = await describe(plain('APES', decimals), call)
    expect(described.title).toContain('Let someone else take item 0')
    expect(levels(described)[0]).toBe('danger')
  }
})

test('error: a spender that the account never dealt with is marked as new, also if the allowance falls', async () => {
  for (const amount of [0n, 1n]) {
    const call = { to: token, value: 0n, data: approve(amount, stranger) } as const
    const described = await describe(dollars, call)
    expect(texts(described)).toContain(
      'You have never interacted with the address that may take it.',
    )
    expect(described.groups[0]?.rows).toContainEqual({
      label: amount === 0n ? 'No longer by' : 'Can be taken by',
      address: stranger,
      isNew: true,
    })
  }
})

test('error: a token that takes the name of the native currency, or reads as a sentence', async () => {
  const call = { to: token, value: 0n, data: transfer(friend, 5n) } as const
  expect(texts(await describe(plain('eth', 0n), call))[0]).toContain('calls itself eth')
  const words = await describe(plain('USD and nothing else', 0n), call)
  expect(words.title).toBe('Send 5 “USD and nothing else”?')
  const cyrillic = await describe(plain('USDС', 0n), call)
  expect(cyrillic.title).toBe('Send 5 “USDС”?')
  expect(texts(cyrillic)).toEqual(['The token’s name has letters that can look like others.'])
})

test('foreign scripts: hostile names are written out, cut and kept on one line', async () => {
  expect(sanitizeText('a\u202eb\u200bc')).toBe('a\\u{202e}b\\u{200b}c')
  expect(sanitizeName('x'.repeat(99))).toHaveLength(32)
  expect(sanitizeName('a\n\n<b>')).toBe('a <b>')
  expect(sanitizeName(`z${'\u0301'.repeat(50)}`).length).toBeLessThan(4)
  const call = { to: token, value: 0n, data: transfer(friend, 5n) } as const
  const described = await describe(plain('USD\u202eevil <img src=x>', 0n), call)
  expect(described.title).toBe('Send 5 “USD\\u{202e}evil <img sr…”?')
})

test('hostile RPC: decimals or names on which two nodes disagree are not used, and the card warns', async () => {
  const honest = answerReads({ ...plain('USD', 6n), supply: 10n ** 12n, balance: 10n ** 9n })
  const describeDisputed = (selector: string, data: Hex) => {
    const read: ReadChain = async (chain, method, params, signal) => {
      if (!JSON.stringify(params).includes(selector)) return honest(chain, method, params, signal)
      const reason = 'Two nodes of this network return different results'
      throw new LatchkeyError('RPC_FAILED', { data: { reason, code: nodesDisagreeCode } } as never)
    }
    const fetchDescription = async () => undefined
    return describeEffects(
      { chain: evmChain, account, known: [friend, token], read, now: Date.now, fetchDescription },
      readCall({ to: token, value: 0n, data }, account),
      false,
    )
  }
  const [symbol, decimals] = ['0x95d89b41', '0x313ce567']
  const warning = {
    level: 'danger',
    text: 'Two nodes of this network disagree. The worse result is shown.',
  }
  const sent = await describeDisputed(decimals, transfer(friend, 1_000_000_000n))
  expect(sent.title).toBe('Send item 1000000000, or 1000000000 smallest units, of USD?')
  expect(sent.warnings).toContainEqual(warning)
  const unnamed = await describeDisputed(symbol, transfer(friend, 1_000_000_000n))
  expect(unnamed.title).toBe('Send 1000 an unknown token?')
  expect(unnamed.warnings).toContainEqual(warning)
  const allowed = await describeDisputed(decimals, approve(10n ** 12n))
  expect(allowed.warnings).toContainEqual(warning)
  expect(allowed.warnings.filter(({ level }) => level === 'danger').length).toBeGreaterThan(1)
})

test('error: an allowance of a token with missing facts counts as unlimited', async () => {
  const call = { to: token, value: 0n, data: approve(2n ** 128n) } as const
  const known = [friend.toLowerCase(), token]
  const fails = (code: 'TIMEOUT' | 'RPC_FAILED', data?: object) => async () => {
    throw new LatchkeyError(code, { data } as never)
  }
  const describeWith = (read: ReadChain) =>
    describeEffects(
      {
        chain: evmChain,
        account,
        known,
        read,
        now: Date.now,
        fetchDescription: async () => undefined,
      },
      readCall(call, account),
      false,
    )
  for (const read of [
    fails('TIMEOUT'),
    fails('RPC_FAILED', { reason: 'slower', code: -32_005 }),
    fails('RPC_FAILED', { reason: 'header not found', code: -32_000 }),
    // A local node, while another block comes.
    fails('RPC_FAILED', {
      reason: 'BlockOutOfRangeError: block height is 9 but requested was 8',
      code: -32_602,
    }),
  ]) {
    const { warnings } = await describeWith(read)
    expect(warnings.some(({ isUnlimited }) => isUnlimited)).toBe(true)
  }
  // A token of items has no decimals, and says so.
  const { warnings } = await describeWith(fails('RPC_FAILED', { reason: 'reverted', code: 3 }))
  expect(warnings.some(({ isUnlimited }) => isUnlimited)).toBe(false)
})
