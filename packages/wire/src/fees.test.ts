import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addGasMargin, getFee, getFeeRates, readFeeRates } from './fees.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`
const block = (baseWei: bigint) => ({ baseFeePerGas: hex(baseWei) })

test('default: 1.2 times the base fee plus the tip', () => {
  expect(getFeeRates({ block: block(100n), gasPrice: '0x6b', tip: '0x5' }, 1)).toEqual({
    currentWei: 105n,
    maxWei: 125n,
    fields: { maxFeePerGas: 125n, maxPriorityFeePerGas: 5n },
  })
})

test('param: without a tip, the tip is the gas price minus the base fee', () => {
  const fields = (gasPrice: bigint) =>
    getFeeRates({ block: block(100n), gasPrice: hex(gasPrice) }, 1).fields
  expect(fields(107n)).toEqual({ maxFeePerGas: 127n, maxPriorityFeePerGas: 7n })
  expect(fields(99n)).toEqual({ maxFeePerGas: 120n, maxPriorityFeePerGas: 0n })
})

test.each([{}, { baseFeePerGas: null }, null, '0x1'])(
  'param: the block %j has no base fee, so a gas price is offered',
  (without) => {
    expect(getFeeRates({ block: without, gasPrice: '0x65', tip: '0x5' }, 1)).toEqual({
      currentWei: 101n,
      maxWei: 122n,
      fields: { gasPrice: 122n },
    })
  },
)

test('behavior: the offer is still high enough after a full block, for any base fee', () => {
  const wei = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(wei, wei, (baseWei, tipWei) => {
      const { maxWei } = getFeeRates(
        { block: block(baseWei), gasPrice: '0x0', tip: hex(tipWei) },
        1,
      )
      expect(maxWei).toBeGreaterThanOrEqual(baseWei + baseWei / 8n + tipWei)
    }),
  )
})

test('behavior: the fee fits into the available amount, as long as that is enough for the latest block', () => {
  const rates = getFeeRates({ block: block(100n), gasPrice: '0x0', tip: '0x5' }, 1)
  const maxFee = (availableWei?: bigint) =>
    getFee({ rates, gas: 10n, ...(availableWei !== undefined && { availableWei }) }).maxFeeWei
  expect(maxFee()).toBe(1_250n)
  expect(maxFee(5_000n)).toBe(1_250n)
  expect(maxFee(1_159n)).toBe(1_150n)
  expect(maxFee(1_049n)).toBe(1_250n)
  expect(maxFee(-1n)).toBe(1_250n)
  expect(getFee({ rates, gas: 10n, availableWei: 1_159n }).fields).toEqual({
    maxFeePerGas: 115n,
    maxPriorityFeePerGas: 5n,
  })
  const priced = getFeeRates({ block: {}, gasPrice: '0x64' }, 1)
  expect(getFee({ rates: priced, gas: 10n, availableWei: 1_100n })).toEqual({
    maxFeeWei: 1_100n,
    fields: { gasPrice: 110n },
  })
  expect(getFee({ rates, gas: 0n, availableWei: 0n }).maxFeeWei).toBe(0n)
})

test('behavior: for any available amount, the tip is within the maximum and the maximum within 256 bits', () => {
  const wei = fc.bigInt({ min: 0n, max: 2n ** 200n })
  fc.assert(
    fc.property(wei, wei, wei, fc.bigInt({ min: 0n, max: 2n ** 40n }), (base, tip, left, gas) => {
      const rates = getFeeRates({ block: block(base), gasPrice: hex(base), tip: hex(tip) }, 1)
      const { fields, maxFeeWei } = getFee({ rates, gas, availableWei: left })
      if ('gasPrice' in fields) throw new Error('There is a base fee')
      expect(fields.maxPriorityFeePerGas).toBeLessThanOrEqual(fields.maxFeePerGas)
      expect(maxFeeWei).toBe(gas * fields.maxFeePerGas)
    }),
  )
})

test('behavior: a payment needs exactly its gas, everything else gets half more', () => {
  expect([21_000n, 21_001n, 0n].map(addGasMargin)).toEqual([21_000n, 31_501n, 0n])
})

const tooLong = `0x1${'0'.repeat(64)}`
const largest = `0x${'f'.repeat(64)}`

test.each<[string, unknown, unknown, unknown]>([
  ['a gas price that is a number', block(1n), 1, '0x1'],
  ['a gas price without digits', block(1n), '0x', '0x1'],
  ['a gas price of 257 bits', block(1n), tooLong, '0x1'],
  ['a base fee below zero', { baseFeePerGas: '-0x1' }, '0x1', '0x1'],
  ['a base fee that is an object', { baseFeePerGas: {} }, '0x1', '0x1'],
  ['a tip that is null', block(1n), '0x1', null],
  ['a tip of words', block(1n), '0x1', 'high'],
  ['no gas price', block(1n), undefined, '0x1'],
  ['fees whose sum has 257 bits', { baseFeePerGas: largest }, '0x1', largest],
  ['a gas price that overflows', {}, largest, '0x1'],
])('error: %s', (_, latest, gasPrice, tip) => {
  expect(() => getFeeRates({ block: latest, gasPrice, tip }, 1)).toThrow(
    expect.objectContaining({ code: 'ANSWER_INVALID' }),
  )
})

test('error: a node without tips is no failure, a node without a gas price is', async () => {
  const node = (failing: string) => async (method: string) => {
    if (method === failing) throw new Error(`${method} is not available`)
    return method === 'eth_gasPrice' ? '0x6b' : block(100n)
  }
  expect(await readFeeRates(node('eth_maxPriorityFeePerGas'), 1)).toMatchObject({ maxWei: 127n })
  await expect(readFeeRates(node('eth_gasPrice'), 1)).rejects.toThrow('not available')
})

test.each([137, '137', 80_002])('behavior: network %s accepts no tip below 25 gwei', (chainId) => {
  const leastWei = 25_000_000_000n
  const fields = (tip: bigint | undefined, gasPrice = 0n) =>
    getFeeRates(
      { block: block(100n), gasPrice: hex(gasPrice), ...(tip !== undefined && { tip: hex(tip) }) },
      chainId,
    )
  expect(fields(1_500_000_000n)).toEqual({
    currentWei: 100n + leastWei,
    maxWei: 120n + leastWei,
    fields: { maxFeePerGas: 120n + leastWei, maxPriorityFeePerGas: leastWei },
  })
  expect(fields(undefined).fields).toMatchObject({ maxPriorityFeePerGas: leastWei })
  expect(fields(leastWei + 1n).fields).toMatchObject({ maxPriorityFeePerGas: leastWei + 1n })
})
