import type { SwapToken } from '@latchkey/core'
import { formatDollars } from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { Amount } from '../../parts/Amount.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import preview from '../send/SendPreview.module.css'
import { shorten } from './SwapWarnings.tsx'

/** A side of a swap, outgoing or incoming, with its value. */
export function SwapSide({
  label,
  token: { symbol, iconUrl },
  amount,
  price,
  isEstimate = false,
}: {
  label: string
  token: SwapToken
  amount: string | undefined
  price: number | undefined
  /** Shows the first digits only: the outcome may differ. */
  isEstimate?: boolean
}) {
  const { locale } = useLatchkey()
  return (
    <div className={preview.side}>
      <div>
        <p className={preview.label}>{label}</p>
        <p className={preview.amount} translate="no">
          {amount === undefined ? (
            <SkeletonLine />
          ) : (
            <Amount
              value={isEstimate ? shorten(amount) : amount}
              unit={symbol}
              full={isEstimate ? amount : undefined}
            />
          )}
        </p>
        {amount !== undefined && price !== undefined && (
          <p className={preview.label}>{formatDollars(Number(amount) * price, locale)}</p>
        )}
      </div>
      <Picture src={iconUrl} name={symbol} round />
    </div>
  )
}
