import { explorerUrl, forceCloseModal, truncateAddress } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshHistory } from '../../app/history/historyQueries.ts'
import { callsQuery, refreshBalances } from '../../app/queries/accountQueries.ts'
import { refreshNfts } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { dropSwap } from '../../app/queries/swapQueries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { FactRow, LinkRow, Row } from '../../parts/Row.tsx'
import styles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { Replace } from './Replace.tsx'

const loadSwapped = () => import('../swap/SwappedFacts.tsx').then((file) => file.SwappedFacts)

/**
 * The status of a batch of calls, for wallets that do not show it themselves: follows the batch
 * until it is final.
 */
export function CallsStatus({ view }: ViewProps<'CallsStatus'>) {
  const app = useApp()
  const t = useT(enHoldings)
  const { data, error, refetch } = useQuery(callsQuery(app, view), getQueryClient(app))
  const { address } = useAccount()
  const selected = useNetwork().network
  const network = useAppState(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === data?.chainId),
  )
  const { swapped } = view
  const SwappedFacts = useLazyImport(loadSwapped, swapped !== undefined).value
  const outcome = data?.status ?? (error === null ? 'pending' : 'unknown')
  const hasEnded = outcome === 'confirmed' || outcome === 'partial'
  const chainId = (network ?? selected).caipNetworkId

  useEffect(() => {
    // A swap may have been a batch.
    if (outcome !== 'pending' && outcome !== 'unknown') void dropSwap(app, { id: view.id })
  }, [app, outcome, view.id])
  useEffect(() => {
    // If the balance cannot be read now, the next refresh reads it.
    if (!hasEnded || address === undefined) return
    refreshBalances(app, { address, chainId }).catch(() => {})
    refreshNfts(app, { chainId }).catch(() => {})
    refreshHistory(app, { address, chainId }).catch(() => {})
  }, [app, hasEnded, address, chainId])

  return (
    <div className={styles.column}>
      <PendingState
        picture={<Icon name={icons[outcome]} size={28} />}
        status={statuses[outcome]}
        title={t(`calls.${outcome}`)}
        hint={t(`calls.${outcome}Hint`)}
      />
      {swapped && SwappedFacts && <SwappedFacts swapped={swapped} status={statuses[outcome]} />}
      {data && (
        <FactRow
          label={t('calls.how')}
          detail={t(data.isAtomic ? 'calls.asOne' : 'calls.oneByOne')}
        />
      )}
      {network && <FactRow label={t('preview.network')} detail={network.name} />}
      {data?.hashes.map((hash, index) => (
        <Transaction
          key={hash}
          hash={hash}
          label={
            data.hashes.length === 1
              ? t('confirmed.hash')
              : t('calls.transaction', { number: index + 1 })
          }
          explorer={network && explorerUrl(network, { hash })}
        />
      ))}
      {outcome === 'pending' && <Replace batchId={view.id} chainId={chainId} address={address} />}
      {outcome === 'unknown' ? (
        <Button variant="quiet" icon="retry" onClick={() => refetch()}>
          {t('action.tryAgain')}
        </Button>
      ) : (
        <Button variant="quiet" onClick={() => forceCloseModal(app)}>
          {t('action.done')}
        </Button>
      )}
    </div>
  )
}

/**
 * A transaction of the batch: links to the explorer, or copies the hash if the network has no
 * explorer.
 */
function Transaction({
  hash,
  label,
  explorer,
}: {
  hash: string
  label: string
  explorer: string | undefined
}) {
  const { copied, copy } = useCopy()
  const parts = { label, detail: truncateAddress(hash) }
  if (explorer)
    return <LinkRow {...parts} href={explorer} end={<Icon name="external" size={16} />} />
  return (
    <Row
      {...parts}
      title={hash}
      end={<Icon name={copied ? 'check' : 'copy'} size={16} />}
      onClick={() => copy(hash)}
    />
  )
}

const statuses = {
  pending: 'waiting',
  confirmed: 'done',
  failed: 'failed',
  partial: 'failed',
  unknown: 'waiting',
} as const

const icons = {
  pending: 'send',
  confirmed: 'check',
  failed: 'close',
  partial: 'close',
  unknown: 'clock',
} as const satisfies Record<string, IconName>
