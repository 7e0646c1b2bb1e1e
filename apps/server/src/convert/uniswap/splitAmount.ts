import type { Hex } from '../../evm/hex.ts'
import type { Ratio } from '../../prices/poolState.ts'
import { type PathQuote, parts } from './readMarket.ts'

/** How many of {@link parts} a path takes, and its output for them. */
export type Split = { readonly quote: PathQuote; readonly count: number; readonly output: bigint }

const maxPaths = 3
/** Another path costs gas. If the cost is unknown, each path has to bring a thousandth more. */
const gain = { from: 1_000n, to: 1_001n }

/**
 * The paths with the largest output together: up to three that share no pool. Another path has to
 * bring more than its gas costs; `unitGas` is the price of a unit of gas in the output token. Empty
 * if no path can take the amount.
 */
export function splitAmount(quotes: readonly PathQuote[], unitGas?: Ratio): readonly Split[] {
  const getWorth = (split: Split) => split.output - getGasCost(split, unitGas)
  const pays = (next: readonly Split[], best: readonly Split[]) =>
    unitGas === undefined
      ? sum(next) * gain.from >= sum(best) * gain.to
      : sum(next, getWorth) > sum(best, getWorth)
  let best = findBest(quotes, 1, ({ output }) => output)
  for (let size = 2; size <= maxPaths; size += 1) {
    const next = findBest(quotes, size, getWorth)
    if (next.length === 0 || !pays(next, best)) break
    best = next
  }
  return best
}

/**
 * The gas that the paths need, with a margin for changes of the pools and for collecting the
 * outputs of several paths.
 */
export const getPathGas = (splits: readonly Split[]): bigint =>
  (sum(splits, ({ quote, count }) => quote.gas[count - 1] ?? 0n) * 13n) / 10n

/** Rounded up, so that a path does not look free in a token with few decimals. */
function getGasCost(split: Split, unitGas: Ratio | undefined): bigint {
  if (unitGas === undefined) return 0n
  const { numerator, denominator } = unitGas
  return (getPathGas([split]) * numerator + denominator - 1n) / denominator
}

/** The best division among exactly `size` paths; empty if no division works. */
function findBest(
  quotes: readonly PathQuote[],
  size: number,
  getValue: (split: Split) => bigint,
): readonly Split[] {
  let best: readonly Split[] = []
  let bestValue: bigint | undefined
  const visit = (chosen: readonly Split[], value: bigint, start: number, left: number) => {
    if (chosen.length === size) {
      if (left > 0 || (bestValue !== undefined && value <= bestValue)) return
      best = chosen
      bestValue = value
      return
    }
    const isLast = chosen.length === size - 1
    for (const [index, quote] of quotes.entries()) {
      if (index < start || chosen.some((split) => sharesPool(split.quote, quote))) continue
      for (let count = isLast ? left : 1; count <= left; count += 1) {
        const output = quote.outputs[count - 1]
        if (output === undefined) continue
        const split = { quote, count, output }
        visit([...chosen, split], value + getValue(split), index + 1, left - count)
      }
    }
  }
  visit([], 0n, 0, parts)
  return best
}

/** The sum of the paths' outputs, or of another value of each path. */
export const sum = (
  splits: readonly Split[],
  getValue: (split: Split) => bigint = ({ output }) => output,
): bigint => splits.reduce((total, split) => total + getValue(split), 0n)

function sharesPool({ path: one }: PathQuote, { path: other }: PathQuote): boolean {
  const addresses = new Set<Hex>(one.pools.map(({ address }) => address))
  return other.pools.some(({ address }) => addresses.has(address))
}
