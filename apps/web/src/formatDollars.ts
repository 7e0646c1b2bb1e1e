import { formatAmount } from '@latchkey/react'

/** A value in dollars, as `$1,234.50`. */
export const formatDollars = (amount: number) => `$${formatAmount(amount)}`
