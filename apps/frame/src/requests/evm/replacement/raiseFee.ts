import { addL1FeeMargin, type Fee, type FeeFields, LatchkeyError } from '@latchkey/wire'
import type { ToFee } from '../readFee.ts'

/**
 * The fee of a replacement: the network's current fee, but in each field at least a tenth above
 * the earlier fee, because nodes refuse less, and no more than `availableWei` can pay
 * for. Throws INSUFFICIENT_GAS if that is less than a tenth more.
 */
export function raiseReplacementFee({
  before,
  rates,
  gas,
  l1FeeWei,
  availableWei,
  symbol,
}: Parameters<ToFee>[0] & { readonly before: FeeFields; readonly symbol: string }): Fee {
  const leastWei = raise(getMaxWei(before))
  if (availableWei < gas * leastWei + l1FeeWei)
    throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })
  const reservedWei = addL1FeeMargin(l1FeeWei)
  const affordableWei = larger(leastWei, (availableWei - reservedWei) / (gas || 1n))
  const maxWei = smaller(larger(leastWei, rates.maxWei), affordableWei)
  const maxFeeWei = smaller(gas * maxWei + reservedWei, availableWei)
  if ('gasPrice' in before) return { maxFeeWei, fields: { gasPrice: maxWei } }
  const asked = 'gasPrice' in rates.fields ? 0n : rates.fields.maxPriorityFeePerGas
  const tipWei = larger(raise(before.maxPriorityFeePerGas), asked)
  const maxPriorityFeePerGas = smaller(tipWei, maxWei)
  return { maxFeeWei, fields: { maxFeePerGas: maxWei, maxPriorityFeePerGas } }
}

/** The highest price of a unit of gas, in wei. */
export const getMaxWei = (fields: FeeFields): bigint =>
  'gasPrice' in fields ? fields.gasPrice : fields.maxFeePerGas

/** A tenth more, rounded up, and at least one wei more. */
const raise = (wei: bigint) => larger((wei * 11n + 9n) / 10n, wei + 1n)

const larger = (one: bigint, other: bigint) => (one > other ? one : other)

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
