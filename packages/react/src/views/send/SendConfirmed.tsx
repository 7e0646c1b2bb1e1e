import {
  explorerUrl,
  forceCloseModal,
  pushView,
  resetViews,
  setSendDraft,
  truncateAddress,
  type waitForTransaction,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { refreshHistory } from '../../app/history/historyQueries.ts'
import {
  finalQuery,
  ownersQuery,
  refreshBalances,
  transactionQuery,
} from '../../app/queries/accountQueries.ts'
import { refreshNfts } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useContact } from '../../app/useContact.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Amount } from '../../parts/Amount.tsx'
import { Button } from '../../parts/Button.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { LinkRow, Row } from '../../parts/Row.tsx'
import styles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { Fact } from './FeeRow.tsx'
import { Replace } from './Replace.tsx'
import { SaveContact } from './SaveContact.tsx'
import preview from './SendPreview.module.css'

/** A transfer that the wallet has accepted. */
export function SendConfirmed({ view: { hash, sent, draft } }: ViewProps<'SendConfirmed'>) {
  const app = useApp()
  const t = useT(enHoldings)
  const contact = useContact(sent?.to ?? '')
  const asset = sent?.asset
  const again = draft && (
    <Button
      icon="retry"
      onClick={() => {
        setSendDraft(app, draft)
        resetViews(app, { name: 'Account' })
        pushView(app, { name: 'Send' })
        pushView(app, { name: 'SendPreview' })
      }}
    >
      {t('confirmed.sendAgain')}
    </Button>
  )
  return (
    <TransactionStatus hash={hash} text={(key) => t(`confirmed.${key}`)} again={again}>
      {sent && asset && (
        <dl className={preview.facts}>
          <Fact name={t(asset.amount === undefined ? 'account.nft' : 'send.amount')}>
            {asset.amount === undefined ? (
              <bdi translate="no">{asset.name}</bdi>
            ) : (
              <Amount value={asset.amount} unit={asset.name} />
            )}
          </Fact>
          <Fact name={t('preview.to')}>
            {contact && <bdi translate="no">{contact.name}</bdi>}
            <bdi translate="no" title={sent.to}>
              {sent.name ?? truncateAddress(sent.to)}
            </bdi>
          </Fact>
        </dl>
      )}
      {sent && <SaveContact address={sent.to} />}
    </TransactionStatus>
  )
}

type TransactionState = keyof typeof statuses

/** Waits for a transaction's block, shows the outcome, and when the network considers it final. */
export function TransactionStatus({
  hash,
  text,
  again,
  children,
}: {
  hash: string
  text: (key: TransactionState | `${TransactionState}Hint` | 'finalHint') => string
  /** Offered if the transaction expired. */
  again?: ReactNode
  /** The amounts and the receiver. */
  children?: ReactNode
}) {
  const app = useApp()
  const t = useT(enHoldings)
  // The user may change the account and the network while this view is shown; the transaction stays
  // on its network.
  const [address] = useState(useAccount().address)
  const [network] = useState(useNetwork().network)
  const chainId = network.caipNetworkId
  const { data, error, isFetching, refetch } = useQuery(
    transactionQuery(app, { hash, chainId, address }),
    getQueryClient(app),
  )
  const shown = data?.hash ?? hash
  const { data: isFinal } = useQuery(
    { ...finalQuery(app, { hash: shown, chainId }), enabled: data?.status === 'success' },
    getQueryClient(app),
  )
  const { data: needsOwners } = useQuery(
    ownersQuery(app, { hash, chainId, address }),
    getQueryClient(app),
  )
  const { copied, copy } = useCopy()
  const outcome = getOutcome({ data, error, isFetching, needsOwners })
  const explorer = explorerUrl(network, { hash: shown })

  useEffect(() => {
    // If the balance cannot be read now, the next refresh reads it.
    if (!data || data.status === 'unknown') return
    refreshBalances(app, { address, chainId }).catch(() => {})
    refreshNfts(app, { chainId }).catch(() => {})
    if (address !== undefined) refreshHistory(app, { address, chainId }).catch(() => {})
  }, [app, data, address, chainId])

  return (
    <div className={styles.column}>
      <PendingState
        picture={<Icon name={icons[outcome]} size={28} />}
        status={statuses[outcome]}
        title={text(outcome)}
        hint={text(isFinal ? 'finalHint' : `${outcome}Hint`)}
      />
      {children}
      <Row
        label={t('confirmed.hash')}
        detail={truncateAddress(shown)}
        title={shown}
        end={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        onClick={() => copy(shown)}
      />
      {explorer && (
        <LinkRow
          href={explorer}
          label={t('confirmed.view')}
          end={<Icon name="external" size={16} />}
        />
      )}
      {outcome === 'waiting' && <Replace hash={hash} chainId={chainId} address={address} />}
      {outcome === 'expired' && again}
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

function getOutcome({
  data,
  error,
  isFetching,
  needsOwners,
}: {
  data: WaitResult | undefined
  error: Error | null
  isFetching: boolean
  needsOwners: boolean | undefined
}): TransactionState {
  if (data?.status === 'success' && data.isSpedUp) return 'spedUp'
  if (data && data.status !== 'unknown') return data.status
  if (isError(error, 'TRANSACTION_EXPIRED')) return 'expired'
  if (needsOwners) return 'owners'
  return isFetching || (!data && error === null) ? 'waiting' : 'unknown'
}

type WaitResult = Awaited<ReturnType<typeof waitForTransaction>>

const statuses = {
  waiting: 'waiting',
  owners: 'waiting',
  spedUp: 'done',
  cancelled: 'failed',
  replaced: 'failed',
  success: 'done',
  reverted: 'failed',
  unknown: 'waiting',
  expired: 'failed',
} as const

const icons = {
  waiting: 'send',
  owners: 'clock',
  spedUp: 'check',
  cancelled: 'close',
  replaced: 'alert',
  success: 'check',
  reverted: 'close',
  unknown: 'clock',
  expired: 'clock',
} as const satisfies Record<string, IconName>
