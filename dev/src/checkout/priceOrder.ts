import type { Sold } from './listSold.ts'

/** The price of an order, in hundredths of its currency and in base units of the asset. */
export type Price = {
  readonly total: bigint
  readonly fee: bigint
  readonly subtotal: bigint
  readonly units: bigint
}

const feePercentTimesTen = 15n
/** Dollar cents for one unit of each currency. */
const usdCents: Readonly<Record<string, bigint>> = { USD: 100n, EUR: 110n }

/**
 * Computes what `amount` (a decimal string) buys, after a fee of 1.5 %. Undefined for a currency or
 * an amount that cannot be paid.
 */
export function priceOrder(
  { usdCents: assetCents, decimals }: Pick<Sold, 'usdCents' | 'decimals'>,
  { amount, currency }: { amount: string; currency: string },
): Price | undefined {
  const rate = usdCents[currency]
  const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  if (rate === undefined || whole === undefined) return undefined
  const total = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'))
  const fee = (total * feePercentTimesTen + 999n) / 1_000n
  const subtotal = total - fee
  const units = (subtotal * rate * 10n ** BigInt(decimals)) / (assetCents * 100n)
  return units > 0n ? { total, fee, subtotal, units } : undefined
}

/** Hundredths as a decimal string, `10.00`. */
export const formatCents = (cents: bigint): string =>
  `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
