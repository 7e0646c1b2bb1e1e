import { truncateAddress } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { pendingQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { FactRow } from '../../parts/Row.tsx'
import { Replace } from '../send/Replace.tsx'
import styles from './ActivityList.module.css'

/**
 * The pending transactions that this page has sent with the embedded wallet, with buttons to speed
 * them up or cancel them. The server's history has a transaction only after its block.
 */
export function PendingTransactions() {
  const app = useApp()
  const t = useT(enHoldings)
  const { address } = useAccount()
  const chainId = useNetwork().network.caipNetworkId
  const id = useId()
  const { data } = useQuery(pendingQuery(app, { chainId, address }), getQueryClient(app))
  if (!data?.length) return null
  return (
    // No landmark: the page behind the modal may show the same list.
    <div>
      <h3 id={id} className={styles.month}>
        {t('replace.pending')}
      </h3>
      <ul className={styles.list} aria-labelledby={id}>
        {data.map(({ hash, earlier: [first = hash] }) => (
          <li key={first} className={styles.item}>
            <FactRow label={t('confirmed.hash')} detail={truncateAddress(hash)} />
            <Replace hash={first} chainId={chainId} address={address} />
          </li>
        ))}
      </ul>
    </div>
  )
}
