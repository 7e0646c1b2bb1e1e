/** Beginning and end of an address, as our views and those of others show it. */
const shortened = [
  [4, 6],
  [6, 4],
] as const

/**
 * Finds the known address that `address` could be mistaken for: one with the same beginning and end, as shortened addresses show them.
 * `known` begins with what is known longest: an address is no look-alike of one that became known after it.
 */
export function findLookalike(address: string, known: readonly string[]): string | undefined {
  const own = address.toLowerCase()
  for (const one of known) {
    const other = one.toLowerCase()
    if (other === own) return undefined
    const isAlike = ([start, end]: (typeof shortened)[number]) =>
      other.slice(0, start) === own.slice(0, start) && other.slice(-end) === own.slice(-end)
    if (shortened.some(isAlike)) return one
  }
  return undefined
}
