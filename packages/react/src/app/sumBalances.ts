import type { Balance } from '@latchkey/wire'

/**
 * The total value of balances in dollars, undefined if no price is known, and how many of them have
 * no price.
 */
export function sumBalances(balances: readonly Balance[]): {
  totalValue: number | undefined
  unpriced: number
} {
  const values = balances.flatMap(({ value }) => (value === undefined ? [] : [value]))
  return {
    totalValue: values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0),
    unpriced: balances.length - values.length,
  }
}
