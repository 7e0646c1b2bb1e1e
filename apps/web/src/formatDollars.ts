import { formatAmount } from '@latchkey/react'

/** Formats a value in dollars, for example `$1,234.50`. */
export const formatDollars = (amount: number) => `$${formatAmount(amount)}`
