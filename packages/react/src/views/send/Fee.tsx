import { type Amount, formatAmount, fromSmallestUnit } from '@latchkey/core'
import type { Balance } from '@latchkey/wire'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import { formatDollars } from '../formatDollars.ts'
import styles from './SendPreview.module.css'

/** What a transfer costs, in the network's currency, and in dollars if its price is known. */
export function Fee({
  amount,
  isError: failed,
  balances,
}: {
  amount: Amount | undefined
  isError: boolean
  balances: readonly Balance[]
}) {
  const { locale } = useLatchkey()
  if (!amount) return failed ? '–' : <SkeletonLine />
  const { value, decimals, symbol } = amount
  const fee = fromSmallestUnit(value, decimals)
  const price = balances.find(({ address }) => address === undefined)?.price
  return (
    <span className={styles.fee}>
      <bdi>
        {feeText(fee)} {symbol}
      </bdi>
      {price !== undefined && <small>≈ {formatDollars(Number(fee) * price, locale)}</small>}
    </span>
  )
}

/** A fee is small: shows six decimals, and a smaller fee as such, not as zero. */
const feeText = (fee: string) => {
  const shown = formatAmount(fee, 6)
  return Number(shown) === 0 && Number(fee) > 0 ? '< 0.000001' : shown
}

/** One row of a review. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
