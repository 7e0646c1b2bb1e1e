import { formatUnits } from 'viem'

/** Below, it rounds to nothing. */
const minWorth = 0.005
/** Above, the amount or the price is not real. */
const maxWorth = 1e12

/** What an amount in smallest units is worth, if a whole unit costs `usd`. Undefined if it is nothing or too much. */
export function formatDollars(amount: bigint, decimals: number, usd = 0): string | undefined {
  const worth = Number(formatUnits(amount, decimals)) * usd
  return worth < minWorth || worth > maxWorth
    ? undefined
    : worth.toLocaleString('en', { style: 'currency', currency: 'USD' })
}
