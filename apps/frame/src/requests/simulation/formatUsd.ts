import { formatUnits } from '@latchkey/wire'

/** Smaller values would be shown as zero. */
const minWorth = 0.01
/** Digits of a number that multiplying leaves right. */
const rightDigits = 14
/** With larger values, the amount or the price is not real. */
const maxWorth = 1e12

/**
 * The dollar value of an amount in smallest units, if a whole unit costs `usd`: cut after the cent.
 * Undefined if the value is negligible or implausibly large.
 */
export function formatUsd(amount: bigint, decimals: number, usd = 0): string | undefined {
  const worth = Number(formatUnits(amount, decimals)) * usd
  if (worth < minWorth || worth > maxWorth) return undefined
  const cents = Math.floor(Number((worth * 100).toPrecision(rightDigits)))
  return (cents / 100).toLocaleString('en', { style: 'currency', currency: 'USD' })
}
