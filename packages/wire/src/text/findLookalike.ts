/**
 * How many characters shortened addresses show at the beginning and the end, in our views and in
 * many other programs.
 */
const shortened = [
  [4, 6],
  [6, 4],
] as const

/**
 * Finds the known address that `address` could be mistaken for, because both have the same
 * beginning and end in their short forms. `known` is sorted by age, the oldest address first. An
 * address is not a lookalike of addresses that follow it in `known`.
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
