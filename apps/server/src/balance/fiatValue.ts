import { type Price, priceScale, toShownPrice } from '../prices/price.ts'

type PricedAmount = {
  readonly amount: bigint
  readonly decimals: number
  readonly price: Price | undefined
}

/**
 * The value of a holding in dollars at the price that JSON shows, rounded down to cents. Undefined
 * without a price, and for values that a number cannot hold exactly.
 */
export function fiatValue({ amount, price, decimals }: PricedAmount): number | undefined {
  if (price === undefined) return undefined
  const cents = (amount * toShownPrice(price) * 100n) / (10n ** BigInt(decimals) * priceScale)
  return cents > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(cents) / 100
}
