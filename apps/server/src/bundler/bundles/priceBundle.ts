import { covers, type Fees, getCommonOffer, type Market } from '../operations/market.ts'
import type { UserOperation } from '../operations/userOperation.ts'

/**
 * The fees that a bundle offers: the market's, but at most the price that all of its operations
 * pay, so that it earns at least its cost with any base fee. Undefined if the operations pay less
 * than `least`. Without operations only the market counts.
 */
export function priceBundle(
  operations: readonly Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>[],
  { market, least }: { readonly market: Market; readonly least: Fees },
): Fees | undefined {
  const wanted = { fee: max(market.maxFee, least.fee), tip: max(market.tip, least.tip) }
  if (operations.length === 0) return wanted
  const offer = getCommonOffer(operations, market)
  if (!covers(offer, least)) return undefined
  const fee = min(wanted.fee, offer.fee)
  return { fee, tip: min(min(wanted.tip, offer.tip), fee) }
}

/** The fields of a transaction that offers these fees. */
export const toFeeFields = ({ fee, tip }: Fees, { hasBaseFee }: Pick<Market, 'hasBaseFee'>) =>
  hasBaseFee ? { maxFeePerGas: fee, maxPriorityFeePerGas: tip } : { gasPrice: fee }

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
