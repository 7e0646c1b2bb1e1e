import {
  explorerUrl,
  findFailedOrder,
  getKnownAddresses,
  getNameableSides,
  getTransferAmounts,
  type TransferAmount,
} from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { useMemo } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useActivity } from '../../hooks/useActivity.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivityDetail } from '../../locales/activity/enActivityDetail.ts'
import { useT } from '../../locales/useT.ts'
import { Amount, formatWhole } from '../../parts/Amount.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { LinkRow, Tag } from '../../parts/Row.tsx'
import { CopyRow } from '../detail/CopyRow.tsx'
import detail from '../detail/detail.module.css'
import type { ViewProps } from '../viewProps.ts'
import styles from './ActivityDetail.module.css'
import { ActivityFacts } from './ActivityFacts.tsx'
import { ActivityNote } from './ActivityNote.tsx'
import { ActivityPicture } from './ActivityPicture.tsx'
import { getTimes, signs, useAssetName, useVerb } from './activityText.ts'
import { OtherSideText } from './OtherSideText.tsx'
import { useNames } from './useNames.ts'
import { useOtherSide } from './useOtherSide.ts'

/** A transaction: all its amounts, addresses and facts, and the user's note about it. */
export function ActivityDetail({ view }: ViewProps<'ActivityDetail'>) {
  const t = useT(enActivityDetail)
  const { data } = useActivity()
  const transaction = getLatest(view.transaction, data)
  const { status, hash, chain } = transaction.metadata
  const { network: active, networks } = useNetwork()
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chain) ?? active
  const known = useKnown(transaction, data)
  const other = useOtherSide(transaction, known)
  const verb = useVerb(transaction)
  const amounts = getTransferAmounts(transaction.transfers)
  const order = findFailedOrder(useApp(), transaction)
  const explorer = hash === '' ? undefined : explorerUrl(network, { hash })
  return (
    <div className={detail.view}>
      <div className={detail.head}>
        <ActivityPicture amounts={amounts} status={status} other={other} />
        <h3>{verb}</h3>
        {amounts.map((amount, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
          <WholeAmount key={index} amount={amount} hasMoved={status !== 'failed'} />
        ))}
        <p className={detail.quiet}>
          <OtherSideText transaction={transaction} other={other} />
        </p>
        {status === 'failed' && <Tag tone="danger">{t('activity.failed')}</Tag>}
        {status === 'pending' && <Tag>{t('activity.pending')}</Tag>}
      </div>
      {other.lookalike !== undefined && (
        <p className={styles.danger}>{t('activity.lookalikeHint', { address: other.lookalike })}</p>
      )}
      <ActivityFacts transaction={transaction} network={network} other={other} />
      <ActivityNote transaction={transaction} />
      <div className={detail.rows}>
        {order && <CopyRow label={t('detail.order')} text={order.id} />}
        {hash !== '' && <CopyRow label={t('detail.id')} text={hash} />}
        {explorer && (
          <LinkRow
            href={explorer}
            label={t('detail.view')}
            end={<Icon name="external" size={16} />}
          />
        )}
      </div>
    </div>
  )
}

/** The state of a transaction that was pending when the list showed it may have changed since. */
const getLatest = (
  shown: HistoryTransaction,
  data: readonly HistoryTransaction[] | undefined,
): HistoryTransaction =>
  (shown.metadata.status === 'pending' && data?.find(({ id }) => id === shown.id)) || shown

/** The addresses that the user knows. Looks up the name of the other side. */
function useKnown(
  transaction: HistoryTransaction,
  data: readonly HistoryTransaction[] | undefined,
): readonly string[] {
  const app = useApp()
  const { address = '' } = useAccount()
  const { chainNamespace: namespace, caipNetworkId: chainId } = useNetwork().network
  const known = useMemo(() => getKnownAddresses(app, data ?? []), [app, data])
  useNames(getNameableSides([transaction], { namespace, address, known, limit: 1 }), chainId)
  return known
}

/** An amount with all its decimals; crossed out if it has not moved. */
function WholeAmount({ amount, hasMoved }: { amount: TransferAmount; hasMoved: boolean }) {
  const { direction, numeric, transfer } = amount
  const name = useAssetName(transfer)
  const value = `${signs[direction]}${formatWhole(numeric)}${getTimes(transfer)}`
  return (
    <p
      className={`${detail.amount} ${styles.amount}`}
      data-direction={direction}
      data-still={!hasMoved || undefined}
    >
      <Amount value={value} unit={name} />
    </p>
  )
}
