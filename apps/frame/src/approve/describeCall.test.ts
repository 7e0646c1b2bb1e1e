import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { evmChain } from '../../test/askOf.ts'
import { type CallContext, describeCall } from './describeCall.ts'
import { showName, showText } from './showText.ts'

const account = '0x00000000000000000000000000000000000000AA'
const friend = '0x1234560000000000000000000000000000009876'
const double = '0x1234567777777777777777777777777777779876'
const token = '0x00000000000000000000000000000000000000dd'

/** A chain on which every contract is a token that says this of itself. */
const context = (symbol: string, decimals: bigint | undefined): CallContext => ({
  chain: evmChain,
  account,
  known: [friend.toLowerCase()],
  read: async (_, __, params) => {
    const { data } = (params as [{ data: Hex }])[0]
    if (data === '0x313ce567')
      return decimals === undefined ? '0x' : encodeAbiParameters([{ type: 'uint256' }], [decimals])
    return encodeAbiParameters([{ type: 'string' }], [symbol])
  },
})

const texts = (described: { warnings: { text: string }[] }) =>
  described.warnings.map(({ text }) => text)
const transfer = (to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

test('default: native value to somebody known', async () => {
  const call = { to: friend, value: 10n ** 18n, data: '0x' } as const
  const described = await describeCall(context('X', 0n), call)
  expect(described.title).toBe('Send 1 ETH?')
  expect(described.warnings).toEqual([])
})

test('default: a token, by decimals of our own RPC', async () => {
  const call = { to: token, value: 0n, data: transfer(friend, 1_500_000n) } as const
  expect((await describeCall(context('USD', 6n), call)).title).toBe('Send 1.5 USD?')
  const silent = await describeCall(context('USD', undefined), call)
  expect(silent.title).toContain('1500000 smallest units')
  expect(texts(silent)).toContain('The token does not tell its name or decimals.')
})

test('behavior: somebody new, and somebody who only looks like one known', async () => {
  const first = await describeCall(context('X', 0n), { to: token, value: 1n, data: '0x' })
  expect(texts(first)).toEqual(['You have never sent to this address.'])
  const alike = await describeCall(context('X', 0n), { to: double, value: 1n, data: '0x' })
  expect(texts(alike)[0]).toContain('only looks like one you know')
})

test('behavior: no limit, and data that cannot be read', async () => {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [friend, maxUint256],
  })
  const described = await describeCall(context('USD', 6n), { to: token, value: 0n, data })
  expect(described.rows[0]?.value).toBe('Unlimited USD')
  expect(texts(described)[0]).toContain('There is no limit')
  const raw = await describeCall(context('X', 0n), { to: token, value: 0n, data: '0x12345678' })
  expect(texts(raw)).toEqual(['This call could not be read. It can do anything your account can.'])
})

test('row 65: hostile names are written out, cut and kept on one line', async () => {
  expect(showText('a\u202eb\u200bc')).toBe('a\\u{202e}b\\u{200b}c')
  expect(showName('x'.repeat(99))).toHaveLength(32)
  expect(showName('a\n\n<b>')).toBe('a <b>')
  expect(showName(`z${'\u0301'.repeat(50)}`).length).toBeLessThan(4)
  const call = { to: token, value: 0n, data: transfer(friend, 5n) } as const
  const described = await describeCall(context('USD\u202eevil <img src=x>', 0n), call)
  expect(described.title).toBe('Send 5 USD\\u{202e}evil <img sr…?')
})
