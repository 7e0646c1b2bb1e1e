import type { PricePoint } from '@latchkey/wire'
import type { AssetChange } from '../activity/activity.ts'
import { type Price, priceScale } from '../prices/price.ts'

/** The current amount of an asset, and its earlier prices, oldest first. */
export type PricedHolding = {
  /** Undefined for the native currency. */
  readonly contract: string | undefined
  readonly amount: bigint
  readonly decimals: number
  readonly prices: readonly PricePoint[]
  /** The present value in dollars that the balance shows; undefined without a present price. */
  readonly value?: number | undefined
}

type Steps = {
  readonly sinceMs: number
  readonly stepMs: number
  readonly count: number
  /** Changes before this time are unknown. */
  readonly knownSinceMs: number
}

/**
 * The value of holdings at the beginning of each step, in dollars: today's amounts minus later
 * changes, at the prices of that time. The last value is the present one, so that it equals the
 * total of the balances. Omits a time if an asset that was held has no price yet, and everything
 * before a time at which the changes do not add up. Empty if no asset has earlier prices.
 */
export function getValueHistory(
  holdings: readonly PricedHolding[],
  { changes, steps }: { readonly changes: readonly AssetChange[]; readonly steps: Steps },
): PricePoint[] {
  const { sinceMs, stepMs, count, knownSinceMs } = steps
  const priced = holdings.filter(({ prices }) => prices.length > 0)
  if (holdings.length > 0 && priced.length === 0) return []
  const amounts = new Map(priced.map(({ contract, amount }) => [contract, amount]))
  // Anyone can send an account thousands of other tokens.
  const known = changes.filter(({ contract }) => amounts.has(contract))
  const points: PricePoint[] = []
  for (let step = count; step >= 0; step--) {
    for (const { contract, change, step: own } of known) {
      const amount = amounts.get(contract)
      if (own === step && amount !== undefined) amounts.set(contract, amount - change)
    }
    const atMs = sinceMs + step * stepMs
    if (atMs < knownSinceMs) break
    // Something moved without a transfer in the activity.
    if ([...amounts.values()].some((amount) => amount < 0n)) break
    const held = priced.flatMap((holding) => {
      const amount = amounts.get(holding.contract) ?? 0n
      return amount > 0n ? [{ ...holding, amount }] : []
    })
    const values = held.map(({ amount, decimals, prices, value }) => {
      if (step === count && value !== undefined) return value
      const price = prices.findLast((point) => point.atMs <= atMs)?.price
      return price === undefined ? undefined : toNumber(amount, decimals) * price
    })
    if (values.includes(undefined)) continue
    points.unshift({ atMs, price: values.reduce<number>((sum, value) => sum + (value ?? 0), 0) })
  }
  return points
}

const toNumber = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals

/** The current value of an amount, in dollars. */
export const valueNow = (amount: bigint, decimals: number, price: Price): number =>
  toNumber(amount, decimals) * (Number(price) / Number(priceScale))
