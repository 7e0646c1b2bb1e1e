import { expect, test } from 'vitest'
import { getLeastFees, readMarket } from './market.ts'

const gwei = 10n ** 9n
const hex = (wei: bigint) => `0x${wei.toString(16)}`
const read = (tip: bigint, chainNumber: number) =>
  readMarket(
    [{ result: { baseFeePerGas: hex(100n * gwei) } }, { result: '0x1' }, { result: hex(tip) }],
    chainNumber,
  )

test('default: an operation pays three quarters of the suggested tip, at most 1 gwei', () => {
  expect(getLeastFees(read(gwei / 2n, 1)).tip).toBe((gwei * 3n) / 8n)
  expect(getLeastFees(read(30n * gwei, 1)).tip).toBe(gwei)
})

test('behavior: on Polygon no operation pays less than its nodes accept', () => {
  for (const tip of [gwei, 30n * gwei]) {
    const market = read(tip, 137)
    expect(getLeastFees(market)).toEqual({ tip: 25n * gwei, fee: 125n * gwei })
    expect(market.tip).toBe(tip > 25n * gwei ? tip : 25n * gwei)
  }
})
