import type { Hex } from '../../evm/hex.ts'
import { type PathQuote, parts } from './readMarket.ts'

/** How many of {@link parts} a path takes, and what it gives for them. */
export type Split = { readonly quote: PathQuote; readonly count: number; readonly output: bigint }

const maxPaths = 3
/** Another path costs gas: each has to bring a thousandth more. */
const gain = { from: 1_000n, to: 1_001n }

/** The paths that together give the most: up to three that share no pool. Empty if none can take the amount. */
export function splitAmount(quotes: readonly PathQuote[]): readonly Split[] {
  let best: readonly Split[] = []
  for (let size = 1; size <= maxPaths; size += 1) {
    const next = findBest(quotes, size)
    if (best.length > 0 && sum(next) * gain.from < sum(best) * gain.to) break
    best = next
  }
  return best
}

/** The best division among exactly `size` paths. */
function findBest(quotes: readonly PathQuote[], size: number): readonly Split[] {
  let best: readonly Split[] = []
  const visit = (chosen: readonly Split[], start: number, left: number) => {
    if (chosen.length === size) {
      if (left === 0 && sum(chosen) > sum(best)) best = chosen
      return
    }
    const isLast = chosen.length === size - 1
    for (const [index, quote] of quotes.entries()) {
      if (index < start || chosen.some((split) => sharesPool(split.quote, quote))) continue
      for (let count = isLast ? left : 1; count <= left; count += 1) {
        const output = quote.outputs[count - 1]
        if (output !== undefined)
          visit([...chosen, { quote, count, output }], index + 1, left - count)
      }
    }
  }
  visit([], 0, parts)
  return best
}

export const sum = (splits: readonly Split[]): bigint =>
  splits.reduce((total, { output }) => total + output, 0n)

function sharesPool({ path: one }: PathQuote, { path: other }: PathQuote): boolean {
  const addresses = new Set<Hex>(one.pools.map(({ address }) => address))
  return other.pools.some(({ address }) => addresses.has(address))
}
