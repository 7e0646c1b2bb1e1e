import { type Price, priceScale } from '../prices/price.ts'

type Priced = {
  readonly amount: bigint
  readonly decimals: number
  readonly price: Price | undefined
}

/**
 * What a holding is worth in dollars, rounded down to cents. Undefined without a price, and beyond what a number holds
 * exactly: so much is worth nothing real.
 */
export function fiatValue({ amount, price, decimals }: Priced): number | undefined {
  if (price === undefined) return undefined
  const cents = (amount * price * 100n) / (10n ** BigInt(decimals) * priceScale)
  return cents > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(cents) / 100
}
