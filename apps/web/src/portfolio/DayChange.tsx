import { formatDollars, sumDollars, useValueHistory } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { getSign, Percent } from './Percent.tsx'
import type { HeldAccount } from './useHoldings.ts'

/**
 * The change of the value of accounts over a day, in money and percent, between two points of the
 * same history. Nothing if that is unknown, or if they had no value a day ago.
 */
export function DayChange({ accounts }: { accounts: readonly HeldAccount[] }) {
  const { data } = useValueHistory({ accounts, period: 'day' })
  const first = data?.points?.[0]?.price
  const last = data?.points?.at(-1)?.price
  // What has come since then is no change of a value.
  if (!first || last === undefined || (data?.points?.length ?? 0) < 2) return null
  const change = sumDollars([last, -first]) ?? 0
  const sign = getSign(change)
  return (
    <>
      <bdi className="changed" data-sign={sign} translate="no">
        {sign}
        {formatDollars(sign === '' ? 0 : Math.abs(change))}
      </bdi>
      <Percent change={sign === '' ? 0 : (change / first) * 100} look="tag" />
      <span>{text('portfolio.sinceDay')}</span>
    </>
  )
}
