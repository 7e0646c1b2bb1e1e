/** The value below which `share` (0 to 1) of `values` lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * The median and the range of the middle half of the values, because other programs also use the
 * machine.
 */
export function spread(values: readonly number[], digits = 2): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) =>
    quantile(values, share).toFixed(digits),
  )
  return `${middle} (${low} to ${high})`
}
