import {
  type Amount,
  formatAmount,
  formatDollars,
  fromSmallestUnit,
  type Plan,
} from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import styles from './SendPreview.module.css'

const shortDecimals = 6
/** A currency of so many decimals is written with all of them. */
const wholeDecimals = 8

/**
 * The cost of a transfer, in the network's currency, and in dollars if its price is known; or that
 * a sponsor pays it.
 */
export function FeeRow({
  amount,
  isError: failed,
  balances,
}: {
  amount: Plan['fee'] | Amount | undefined
  isError: boolean
  balances: readonly Balance[]
}) {
  const { locale } = useLatchkey()
  const t = useT(enHoldings)
  const price = balances.find(({ address }) => address === undefined)?.price
  if (!amount)
    return failed ? (
      '–'
    ) : (
      <span className={styles.fee}>
        <span>
          <SkeletonLine />
        </span>
        {price !== undefined && <small>&nbsp;</small>}
      </span>
    )
  // The person pays nothing, so no amount.
  if ('payer' in amount && amount.payer === 'sponsor') return t('preview.sponsored')
  const { decimals, symbol } = amount
  const { value, isLess, shownDecimals } = roundUp(amount)
  const fee = fromSmallestUnit(value, decimals)
  return (
    <span className={styles.fee}>
      <bdi translate="no">
        {`${isLess ? '< ' : ''}${formatAmount(fee, shownDecimals)} ${symbol}`}
      </bdi>
      {price !== undefined && <small>≈ {formatDollars(Number(fee) * price, locale)}</small>}
    </span>
  )
}

/**
 * The fee that is shown: six decimals, or all decimals of a currency that has no more than eight.
 * Rounded up, because it is the maximum; `isLess` if it is less than the smallest such amount.
 */
function roundUp({ value, decimals }: Amount) {
  const shownDecimals = decimals <= wholeDecimals ? decimals : shortDecimals
  const unit = 10n ** BigInt(Math.max(0, decimals - shownDecimals))
  const ceiling = ((value + unit - 1n) / unit) * unit
  return { value: ceiling, isLess: value > 0n && value < unit, shownDecimals }
}

/** The key of a fee's name: an amount that the account pays is the highest possible. */
export const feeName = (fee: Plan['fee'] | undefined) =>
  fee?.payer === 'sponsor' ? 'preview.feePaid' : 'preview.fee'

/** A row of a review. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
