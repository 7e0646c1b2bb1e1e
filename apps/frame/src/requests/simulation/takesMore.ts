/**
 * Whether more leaves now than `before`, or less arrives: of each asset what the account gets,
 * negative for what leaves it.
 */
export const takesMore = (
  before: ReadonlyMap<string, bigint>,
  now: ReadonlyMap<string, bigint>,
): boolean =>
  [...new Set([...before.keys(), ...now.keys()])].some((asset) =>
    isLess(before.get(asset) ?? 0n, now.get(asset) ?? 0n),
  )

/** Whether `is` is less than `was`. Prices move: of what arrives, a hundredth may be missing. */
export const isLess = (was: bigint, is: bigint): boolean => is < (was > 0n ? was - was / 100n : was)
