import { formatQuantity } from '@latchkey/core'

/** A quantity in as few digits as say it: three decimals at most, cut; what is too little for those is not nothing. */
export function shortQuantity(numeric: string): string {
  const shown = formatQuantity(numeric).replace(/\.?0+$/, '')
  return /[1-9]/.test(numeric) && !/[1-9]/.test(shown) ? '<0.001' : shown
}
