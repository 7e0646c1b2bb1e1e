import { formatDollars, useValueHistory } from '@latchkey/react'
import type { PricePeriod } from '@latchkey/wire'
import { text } from '../locales/text.ts'
import { getValueChange } from './getValueChange.ts'
import { getSign, Percent } from './Percent.tsx'
import { type HeldAccount, sumRows } from './useHoldings.ts'

/**
 * The change of the value of accounts over a period, in money and percent, with the networks that
 * it leaves out although the total counts them. Nothing if the change is unknown.
 */
export function ValueChange({
  accounts,
  period,
}: {
  accounts: readonly HeldAccount[]
  period: PricePeriod
}) {
  const { data } = useValueHistory({ accounts, period })
  const known = getValueChange(data?.points ?? [])
  if (!data || !known) return null
  const { change, percent, sinceMs } = known
  const sign = getSign(change)
  const without = getValuable(accounts).filter(({ caipNetworkId }) =>
    data.missing.includes(caipNetworkId),
  )
  return (
    <>
      <bdi className="changed" data-sign={sign} translate="no">
        {sign}
        {formatDollars(sign === '' ? 0 : Math.abs(change))}
      </bdi>
      <Percent change={sign === '' ? 0 : percent} look="tag" />
      <span>
        {period === 'day'
          ? text('portfolio.sinceDay')
          : text('portfolio.since', { date: formatDate(sinceMs, period) })}
      </span>
      {without.length > 0 && (
        <span>
          {text('portfolio.without', { networks: without.map(({ name }) => name).join(', ') })}
        </span>
      )}
    </>
  )
}

/** The networks on which the accounts have a value. */
function getValuable(accounts: readonly HeldAccount[]) {
  const networks = new Set(accounts.flatMap((account) => account.networks))
  const rows = accounts.flatMap((account) => account.rows)
  return [...networks].filter((one) => sumRows(rows.filter(({ network }) => network === one)))
}

const formatDate = (atMs: number, period: PricePeriod) =>
  new Date(atMs).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    ...(period === 'year' && { year: 'numeric' }),
  })
