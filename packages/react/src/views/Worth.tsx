import { formatDollars } from '@latchkey/core/internal'
import { useLatchkey } from '../app/context.ts'
import styles from './send/Send.module.css'

/** A higher value has more digits than fit on a line. */
const maxDollars = 1e15

/** The value of a typed amount in dollars; empty if the input is not an amount. */
export function Worth({ amount, price }: { amount: string; price: number | undefined }) {
  const { locale } = useLatchkey()
  const isAmount = /^[\d.]+$/.test(amount) && price !== undefined
  const worth = isAmount ? Number(amount) * price : Number.NaN
  return <span className={styles.quiet}>{worth <= maxDollars && formatDollars(worth, locale)}</span>
}
