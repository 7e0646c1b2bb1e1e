import { expect, test } from 'vitest'
import { LatchkeyError } from './errors/errors.ts'
import { addL1FeeMargin, getFee, getFeeRates } from './fees.ts'
import { type L1FeeTransaction, readL1Fee as readFee } from './l1Fee.ts'

const optimism = '0x420000000000000000000000000000000000000F'
const scroll = '0x5300000000000000000000000000000000000002'
const morph = '0x530000000000000000000000000000000000000F'
const selectors = { getL1Fee: '0x49948e0e', getOperatorFee: '0x275aedd2', tokenRatio: '0x06f837d3' }

type ContractCode = (data: string) => unknown

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const refused = (reason: string) => new LatchkeyError('RPC_FAILED', { data: { reason } })
/** Bytes that a getL1Fee call names. */
const sizeOf = (data: string) => BigInt(`0x${data.slice(10 + 64, 10 + 128)}`)

/** A node of a network with these contracts. */
const node =
  (contracts: Record<string, ContractCode> = {}) =>
  async (method: string, params: unknown[]) => {
    expect(method).toBe('eth_call')
    const [{ to, data }] = params as [{ to: string; data: string }]
    return contracts[to]?.(data) ?? '0x'
  }

/**
 * An OP-stack oracle that charges a wei for each byte. `others`: its results for other functions.
 */
const oracle =
  (others: Record<string, unknown> = {}): ContractCode =>
  (data) => {
    if (data.startsWith(selectors.getL1Fee)) return word(sizeOf(data))
    const answer = others[data.slice(0, 10)]
    if (answer === undefined) throw refused('execution reverted')
    return answer
  }

const to = `0x${'11'.repeat(20)}`
const readL1Fee = (
  request: Parameters<typeof readFee>[0],
  transactions: readonly L1FeeTransaction[],
  chainId = 'eip155:10',
) => readFee(request, { chainId, transactions })

const payment = { to, value: 255n, gas: 21_000n }

test('default: a network without such a contract charges nothing in addition to the gas', async () => {
  expect(await readL1Fee(node(), [payment])).toBe(0n)
  const reverts = () => {
    throw refused('execution reverted')
  }
  expect(await readL1Fee(node({ [optimism]: reverts, [scroll]: reverts }), [payment])).toBe(0n)
  expect(await readL1Fee(node(), [])).toBe(0n)
})

test('default: the OP stack: the data of each transaction, and the fee of the operator for its gas', async () => {
  const bytes = 36n + 20n + 1n
  const plain = node({ [optimism]: oracle() })
  expect(await readL1Fee(plain, [payment])).toBe(bytes)
  expect(await readL1Fee(plain, [payment, { ...payment, data: '0xabcdef' }])).toBe(2n * bytes + 3n)
  const asked: string[] = []
  const isthmus = node({
    [optimism](data) {
      asked.push(data)
      return oracle({ [selectors.getOperatorFee]: word(1_000n) })(data)
    },
  })
  expect(await readL1Fee(isthmus, [payment])).toBe(bytes + 1_000n)
  expect(asked).toContain(`${selectors.getOperatorFee}${word(21_000n).slice(2)}`)
})

test('behavior: Mantle converts the fee for data to its own currency, and leaves the fee of the operator', async () => {
  const others = {
    [selectors.tokenRatio]: word(3_789n),
    [selectors.getOperatorFee]: word(7n),
  }
  const mantle = node({ [optimism]: oracle(others) })
  for (const id of ['eip155:5000', 'eip155:5003'])
    expect(await readL1Fee(mantle, [payment], id)).toBe(57n * 3_789n + 7n)
  expect(await readL1Fee(mantle, [payment])).toBe(57n + 7n)
})

test.each([scroll, morph])('behavior: Scroll and Morph count the signature too: %s', async (at) => {
  expect(await readL1Fee(node({ [at]: oracle() }), [payment])).toBe(57n + 67n)
})

test.each([
  ['a fee of more than a million coins', () => word(10n ** 24n + 1n)],
  ['the largest number', () => `0x${'f'.repeat(64)}`],
])('error: %s', async (_, answer) => {
  for (const address of [optimism, scroll, morph])
    await expect(readL1Fee(node({ [address]: answer }), [payment])).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    })
})

test('error: a fee that cannot be read is not 0', async () => {
  for (const error of [refused('too many requests'), new LatchkeyError('TIMEOUT')]) {
    const answer = () => {
      throw error
    }
    await expect(readL1Fee(node({ [scroll]: answer }), [payment])).rejects.toBe(error)
  }
})

test('behavior: a fee includes the charge in addition to the gas, with as much margin as is available', () => {
  const block = { baseFeePerGas: '0x64' }
  const rates = getFeeRates({ block, gasPrice: '0x0', tip: '0x5' }, 1)
  const fee = (availableWei?: bigint) =>
    getFee({ rates, gas: 10n, l1FeeWei: 100n, ...(availableWei !== undefined && { availableWei }) })
  expect(addL1FeeMargin(100n)).toBe(150n)
  expect(addL1FeeMargin(1n)).toBe(2n)
  expect(fee().maxFeeWei).toBe(1_250n + 150n)
  expect(fee(2_000n).maxFeeWei).toBe(1_400n)
  // The gas price gives way first, then the margin.
  expect(fee(1_300n)).toMatchObject({ maxFeeWei: 1_300n, fields: { maxFeePerGas: 115n } })
  expect(fee(1_150n)).toMatchObject({ maxFeeWei: 1_150n, fields: { maxFeePerGas: 105n } })
  // Less than the current charge.
  expect(fee(1_149n)).toMatchObject({ maxFeeWei: 1_400n, fields: { maxFeePerGas: 125n } })
})
