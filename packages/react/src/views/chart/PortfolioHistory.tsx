import type { Network } from '@latchkey/core'
import type { PricePeriod } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { valueHistoryQuery } from '../../app/queries/priceQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useLatestCallback } from '../../app/useLatestCallback.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import styles from './ValueChart.module.css'
import { ValueChart } from './ValueChart.tsx'

/**
 * The account's value over time, drawn as a line or a table, on networks of a single kind together;
 * by default on the selected network. Lists the networks whose earlier value is unknown. Draws
 * nothing if there is no earlier value to compare with.
 */
export function PortfolioHistory({
  networks,
  isExpected = true,
  onKnown,
}: {
  networks?: readonly [Network, ...Network[]] | undefined
  /** Whether the chart takes its space before its values are known. */
  isExpected?: boolean
  /** Called once it is known whether there is a chart. */
  onKnown?: ((hasChart: boolean) => void) | undefined
} = {}) {
  const app = useApp()
  const t = useT(enToken)
  const { locale } = useLatchkey()
  const [period, setPeriod] = useState<PricePeriod>('day')
  const { address, network: shown } = useAccountScope({
    namespace: networks?.[0].chainNamespace,
  })
  const counted = networks ?? ([shown] as const)
  const chainIds = counted.map(({ caipNetworkId }) => caipNetworkId)
  const { data, isError, refetch } = useQuery(
    valueHistoryQuery(app, { chainIds, address, period }),
    getQueryClient(app),
  )
  // Once there was a line, a period without values says so, and the periods stay.
  const [hadLine, setHadLine] = useState(false)
  const isShort = data !== undefined && (data.points?.length ?? 0) < 2
  if (data !== undefined && !isShort && !hadLine) setHadLine(true)
  // An account without a value today may have had a value before.
  const { data: year } = useQuery(
    {
      ...valueHistoryQuery(app, { chainIds, address, period: 'year' }),
      enabled: isShort && !hadLine,
    },
    getQueryClient(app),
  )
  const isKnown = hadLine || data?.points === null || year !== undefined
  const hasChart = hadLine || (year?.points?.length ?? 0) > 1
  const report = useLatestCallback((has: boolean) => onKnown?.(has))
  useEffect(() => {
    if (isKnown) report(hasChart)
  }, [isKnown, hasChart, report])
  if (address === undefined || data?.points === null) return null
  if (isKnown ? !hasChart : !isExpected) return null
  const missing = counted.filter(({ caipNetworkId }) => data?.missing.includes(caipNetworkId))
  const hasLine = data !== undefined && data.points.length > 1
  const [only] = counted
  const date = data?.since && new Date(data.since).toLocaleDateString(locale)
  return (
    <div>
      <ValueChart
        title={
          counted.length === 1 ? t('token.worth', { network: only.name }) : t('token.worthAll')
        }
        heading="h2"
        period={period}
        onPeriod={setPeriod}
        points={data?.points}
        isError={isError}
        retry={refetch}
      />
      <p className={styles.hint} data-empty={hasLine ? undefined : ''}>
        <span>{date ? t('token.worthSince', { date }) : t('token.worthHint')}</span>
        {missing.length > 0 && (
          <span>
            {` ${t('token.worthWithout', { networks: missing.map(({ name }) => name).join(', ') })}`}
          </span>
        )}
      </p>
    </div>
  )
}
