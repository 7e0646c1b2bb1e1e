/**
 * Whether more leaves now than `before`, or less arrives. The maps contain the amount that the
 * account receives per asset, negative if it leaves.
 */
export const takesMore = (
  before: ReadonlyMap<string, bigint>,
  now: ReadonlyMap<string, bigint>,
): boolean =>
  [...new Set([...before.keys(), ...now.keys()])].some((asset) =>
    isLess(before.get(asset) ?? 0n, now.get(asset) ?? 0n),
  )

/**
 * Whether `is` is less than `was`. Prices move, so an arriving amount may be up to a hundredth
 * lower.
 */
export const isLess = (was: bigint, is: bigint): boolean => is < (was > 0n ? was - was / 100n : was)
