import { getSessions } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useNow } from '../../app/useNow.ts'
import { enSessions } from '../../locales/enSessions.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { SmartSessionRow } from './SmartSessionRow.tsx'
import styles from './SmartSessions.module.css'

/** The polling interval: an app may use its session at any time. */
const everyMs = 10_000

/** The permissions granted to this app: their expiry, their usage, and their revocation. */
export function SmartSessionList() {
  const app = useApp()
  const t = useT(enSessions)
  const { address, chainId, network } = useAccountScope()
  const nowMs = useNow() ?? 0
  const query = useQuery(
    {
      queryKey: ['latchkey', 'sessions', chainId, address],
      queryFn: ({ signal }) => getSessions(app, { address: address ?? '', chainId, signal }),
      enabled: address !== undefined,
      refetchInterval: everyMs,
    },
    getQueryClient(app),
  )
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  if (query.data === undefined) {
    if (!query.isError) return <SkeletonRows rows={3} label={t('shell.loading')} />
    return <FailedState title={t('sessions.failed')} retry={() => query.refetch()} />
  }
  if (query.data.length === 0)
    return (
      <EmptyState icon="clock" title={t('sessions.empty')}>
        {t('sessions.emptyHint', { network: network.name })}
      </EmptyState>
    )
  return (
    <div className={styles.view}>
      <p className={styles.hint}>{t('sessions.intro')}</p>
      <ul className={styles.list} aria-label={t('account.sessions')}>
        {query.data.map((session) => (
          <SmartSessionRow
            key={session.pci}
            session={session}
            nowMs={nowMs}
            onRevoked={() => query.refetch()}
          />
        ))}
      </ul>
    </div>
  )
}
