import type { Network } from '@latchkey/core'
import type { PricePeriod } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { valueHistoryQuery } from '../../app/priceQueries.ts'
import { getQueryClient } from '../../app/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useHolder } from '../../app/useHolder.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import styles from './ValueHistory.module.css'
import { ValueHistory } from './ValueHistory.tsx'

/**
 * What the account was worth over time on a network, the selected one unless set, as a line or as a table. Draws nothing where the server
 * does not follow the network's activity.
 */
export function PortfolioHistory({ network }: { network?: Network | undefined } = {}) {
  const app = useApp()
  const t = useT(enToken)
  const { locale } = useLatchkey()
  const [period, setPeriod] = useState<PricePeriod>('day')
  const { address, network: shown } = useHolder({
    namespace: network?.chainNamespace,
  })
  const { caipNetworkId: chainId, name } = network ?? shown
  const { data, isError, refetch } = useQuery(
    valueHistoryQuery(app, { chainId, address, period }),
    getQueryClient(app),
  )
  if (data?.points === null || address === undefined) return null
  const date = data?.since && new Date(data.since).toLocaleDateString(locale)
  return (
    <div>
      <ValueHistory
        title={t('token.worth', { network: name })}
        heading="h2"
        period={period}
        onPeriod={setPeriod}
        points={data?.points}
        isError={isError}
        retry={refetch}
      />
      {data?.points && data.points.length > 1 && (
        <p className={styles.none}>
          {date ? t('token.worthSince', { date }) : t('token.worthHint')}
        </p>
      )}
    </div>
  )
}
