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
 * The cost of a transfer, in the network's currency, and in dollars if its price is known; and
 * whether a sponsor pays it.
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
  const { value, decimals, symbol } = amount
  const fee = fromSmallestUnit(value, decimals)
  return (
    <span className={styles.fee}>
      <bdi translate="no">
        {feeText(amount)} {symbol}
      </bdi>
      {price !== undefined && <small>≈ {formatDollars(Number(fee) * price, locale)}</small>}
      {'payer' in amount && amount.payer === 'sponsor' && <small>{t('preview.sponsored')}</small>}
    </span>
  )
}

/**
 * Formats a fee: six decimals, or all decimals of a currency that has no more than eight. Rounded
 * up, because it is the maximum. A smaller fee is shown as less than the smallest such amount.
 */
function feeText({ value, decimals }: Amount) {
  const feeDecimals = decimals <= wholeDecimals ? decimals : shortDecimals
  const unit = 10n ** BigInt(Math.max(0, decimals - feeDecimals))
  if (value > 0n && value < unit) return `< ${formatAmount('0.000001', feeDecimals)}`
  const ceiling = ((value + unit - 1n) / unit) * unit
  return formatAmount(fromSmallestUnit(ceiling, decimals), feeDecimals)
}

/** A row of a review. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
