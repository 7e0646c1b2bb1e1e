import { sumDollars } from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'

/**
 * The total value of balances in dollars, undefined if no price is known, and how many of them have
 * no price.
 */
export function sumBalances(balances: readonly Balance[]): {
  totalValue: number | undefined
  unpriced: number
} {
  const values = balances.map(({ value }) => value)
  return {
    totalValue: sumDollars(values),
    unpriced: values.filter((value) => value === undefined).length,
  }
}
