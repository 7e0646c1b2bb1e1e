import { formatUnits } from '@latchkey/wire'

/** A price in US dollars times 10^18. */
export type Price = bigint
export const priceScale = 10n ** 18n

/**
 * A price, when its source observed it, and the source: `uniswap-v2`, `uniswap-v3`, `usd` (counted
 * in itself), `outside`, or `recorded` by this server. `change` is the change over a day in
 * percent, if it is known.
 */
export type Quote = {
  readonly price: Price
  readonly seenAtMs: number
  readonly source: 'uniswap-v2' | 'uniswap-v3' | 'usd' | 'outside' | 'recorded'
  readonly change?: number
}

/** Whether two prices differ by at most `percent` of the larger one. */
export function isWithinPercent(a: Price, b: Price, percent: bigint): boolean {
  const [low, high] = a < b ? [a, b] : [b, a]
  return (high - low) * 100n <= high * percent
}

/** A price as a JSON number. */
export const priceNumber = (price: Price): number => Number(formatUnits(price, 18))

/** The significant digits that every JSON number keeps. */
const shownDigits = 15

/** A price, rounded to the digits that {@link priceNumber} keeps: 2999.999… becomes 3000. */
export function toShownPrice(price: Price): Price {
  const unit = 10n ** BigInt(Math.max(0, String(price).length - shownDigits))
  return ((price + unit / 2n) / unit) * unit
}
