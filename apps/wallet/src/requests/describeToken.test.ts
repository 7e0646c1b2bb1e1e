import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { accounts } from '../accounts.ts'
import { describeToken } from './describeToken.ts'

const [owner, other] = accounts

/** A token that returns symbol() and decimals() like a contract. */
const token = (symbol: string, decimals: number) => async (data: Hex) =>
  data === encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })
    ? encodeAbiParameters([{ type: 'string' }], [symbol])
    : encodeAbiParameters([{ type: 'uint8' }], [decimals])

const transfer = (units: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, units] })
const approve = (units: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [other, units] })

test('default: a transfer in the decimals of its token', async () => {
  expect(await describeToken(transfer(1_234_567n), token('USD', 6))).toEqual([
    { label: 'Sends', value: '1.234567 USD' },
    { label: 'Receiver', value: other },
  ])
  expect((await describeToken(transfer(1n), token('T', 18)))[0]?.value).toBe(
    '0.000000000000000001 T',
  )
  expect((await describeToken(transfer(7n), token('T', 0)))[0]?.value).toBe('7 T')
})

test('behavior: a limited and an unlimited approval', async () => {
  expect(await describeToken(approve(5_000_000n), token('USD', 6))).toEqual([
    { label: 'Lets spend', value: '5 USD' },
    { label: 'Spender', value: other },
  ])
  for (const units of [2n ** 256n - 1n, 2n ** 255n])
    expect((await describeToken(approve(units), token('USD', 6)))[0]?.value).toBe('Unlimited USD')
  expect((await describeToken(approve(2n ** 255n - 1n), token('USD', 0)))[0]?.value).toBe(
    `${2n ** 255n - 1n} USD`,
  )
})

test('behavior: a transfer out of another account names it', async () => {
  const args = [owner, other, 1n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args })
  expect(await describeToken(data, token('T', 0))).toEqual([
    { label: 'Sends', value: '1 T' },
    { label: 'Out of', value: owner },
    { label: 'Receiver', value: other },
  ])
})

test('error: a token without symbol or decimals still shows receiver and amount', async () => {
  const silent = async () => {
    throw new Error('reverted')
  }
  const expected = [
    { label: 'Lets spend', value: '9 smallest units of a token without a symbol' },
    { label: 'Spender', value: other },
  ]
  expect(await describeToken(approve(9n), silent)).toEqual(expected)
  for (const answer of ['0x', 'garbage', `0x${'ff'.repeat(200)}`])
    expect(await describeToken(approve(9n), async () => answer)).toEqual(expected)
  expect((await describeToken(approve(9n), token('x'.repeat(5_000), 0)))[0]?.value).toHaveLength(34)
})

test('error: other calls, no calldata and malformed calldata have no description', async () => {
  for (const data of ['0x', '0x12', '0xdeadbeef', transfer(1n).slice(0, -2), '0xa9059cbb'] as Hex[])
    expect(await describeToken(data, token('T', 0))).toEqual([])
})
