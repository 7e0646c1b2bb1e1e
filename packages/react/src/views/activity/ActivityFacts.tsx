import {
  formatDollars,
  formatQuantity,
  getWorth,
  isSameAddress,
  type Network,
  networkImageUrl,
  truncateAddress,
} from '@latchkey/core/internal'
import type { HistoryTransaction, OperationType } from '@latchkey/wire'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useContact } from '../../app/useContact.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { enActivityDetail } from '../../locales/activity/enActivityDetail.ts'
import { useT } from '../../locales/useT.ts'
import { formatWhole } from '../../parts/Amount.tsx'
import { Picture } from '../../parts/Picture.tsx'
import styles from './ActivityDetail.module.css'
import { AddressFact } from './AddressFact.tsx'
import type { OtherSide } from './useOtherSide.ts'

/** The kinds of transactions that are sent to a contract. */
const callTypes: ReadonlySet<string> = new Set<OperationType>([
  ...(['approve', 'borrow', 'claim', 'deposit', 'repay', 'revoke'] as const),
  ...(['stake', 'trade', 'unstake', 'withdraw'] as const),
])

/** The facts about a transaction, as far as they are known. */
export function ActivityFacts({
  transaction,
  network,
  other,
}: {
  transaction: HistoryTransaction
  network: Network
  other: OtherSide
}) {
  const app = useApp()
  const t = useT(enActivityDetail)
  const { locale } = useLatchkey()
  const { sentFrom, sentTo, status, fee, application, operationType } = transaction.metadata
  const { approval, sponsored } = transaction.metadata
  const spender = useContact(approval?.spender ?? '')
  const worth = status === 'failed' ? undefined : getWorth(transaction)
  const getName = (address: string) => (address === other.address ? other.name : undefined)
  return (
    <dl className={styles.facts}>
      <Fact name={t('detail.status')}>
        <Status transaction={transaction} />
      </Fact>
      <When transaction={transaction} />
      {worth !== undefined && (
        <Fact name={t('detail.worth')}>
          <bdi className={styles.number}>{formatDollars(worth, locale)}</bdi>
        </Fact>
      )}
      <AddressFact
        name={t('detail.from')}
        copyLabel={t('detail.copyFrom')}
        address={sentFrom}
        network={network}
        owner={getName(sentFrom)}
      />
      <AddressFact
        name={t('detail.to')}
        copyLabel={t('detail.copyTo')}
        address={sentTo}
        network={network}
        owner={getName(sentTo)}
        hint={callTypes.has(operationType) && !application?.name ? t('detail.contract') : undefined}
      />
      {approval && (
        <AddressFact
          name={t('detail.spender')}
          copyLabel={t('detail.copySpender')}
          address={approval.spender}
          network={network}
          owner={spender?.name}
        />
      )}
      <Fact name={t('preview.network')}>
        <span className={styles.network}>
          <Picture src={networkImageUrl(app, network)} name={network.name} size={20} />
          {network.name}
        </span>
      </Fact>
      {fee && !sponsored && (
        <Fact name={t('detail.fee')}>
          <FeeAmount numeric={fee.numeric} network={network} />
          {fee.payer !== '' && (
            <Payer payer={fee.payer} network={network} name={getName(fee.payer)} />
          )}
        </Fact>
      )}
      {sponsored && <Fact name={t('detail.fee')}>{t('detail.sponsored')}</Fact>}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Status({ transaction: { metadata } }: { transaction: HistoryTransaction }) {
  const t = useT(enActivityDetail)
  const { status, block } = metadata
  return (
    <>
      <span>{t(status === 'confirmed' ? 'detail.confirmed' : `activity.${status}`)}</span>
      {status === 'failed' && <small>{t('detail.failedHint')}</small>}
      {status === 'pending' && <small>{t('detail.pendingHint')}</small>}
      {block !== undefined && <small>{t('detail.block', { block })}</small>}
    </>
  )
}

/** The moment of a pending transaction is only the time at which the server responded. */
function When({ transaction: { metadata } }: { transaction: HistoryTransaction }) {
  const t = useT(enActivityDetail)
  const { locale } = useLatchkey()
  const { minedAt, status } = metadata
  const date = new Date(minedAt)
  if (status === 'pending' || Number.isNaN(date.getTime())) return null
  const text = date.toLocaleString(locale, { dateStyle: 'full', timeStyle: 'medium' })
  return (
    <Fact name={t('detail.when')}>
      {/* No line begins with "AM". */}
      <time dateTime={minedAt}>{text.replace(/(:\d\d) /, '$1\u00a0')}</time>
    </Fact>
  )
}

/** A fee with its first digits, and what so much is worth now. */
function FeeAmount({
  numeric,
  network: { caipNetworkId: chainId, chainNamespace: namespace, nativeCurrency },
}: {
  numeric: string
  network: Network
}) {
  const t = useT(enActivityDetail)
  const { locale } = useLatchkey()
  const { address } = useAccount({ namespace })
  const { native } = useBalances({ address, chainId })
  const { symbol } = nativeCurrency
  return (
    <>
      <bdi className={styles.number} translate="no" title={`${formatWhole(numeric)} ${symbol}`}>
        {formatQuantity(numeric)} {symbol}
      </bdi>
      {native?.price !== undefined && (
        <small>
          {t('detail.feeNow', { value: formatDollars(Number(numeric) * native.price, locale) })}
        </small>
      )}
    </>
  )
}

function Payer({
  payer,
  network: { chainNamespace: namespace },
  name,
}: {
  payer: string
  network: Network
  name: string | undefined
}) {
  const t = useT(enActivityDetail)
  const { address = '' } = useAccount({ namespace })
  if (isSameAddress({ namespace, one: payer, other: address }))
    return <small>{t('detail.paidByYou')}</small>
  return <small>{t('detail.paidBy', { who: name ?? truncateAddress(payer) })}</small>
}
