import {
  explorerUrl,
  formatQuantity,
  getTransferAmounts,
  isSameAddress,
  isZeroAddress,
  serverImageUrl,
  type TransferAmount,
  truncateAddress,
} from '@latchkey/core/internal'
import {
  findLookalike,
  type HistoryTransaction,
  type HistoryTransfer,
  operationTypes,
} from '@latchkey/wire'
import { memo } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, LinkRow, RowIcon, Tag } from '../../parts/Row.tsx'
import styles from './ActivityRow.module.css'

/** The number of amounts that a row shows; the row counts the rest. */
const shownAmounts = 2

/**
 * A transaction: its action, the other party, the amounts, and the time. Links to the explorer if
 * there is one. It is redrawn only when its `age` label or the addresses that the user knows
 * (`known`) change, because a list may be long.
 */
export const ActivityRow = memo(function ActivityRow({
  transaction,
  age,
  known,
}: {
  transaction: HistoryTransaction
  age: string | undefined
  known: readonly string[]
}) {
  const t = useT(enActivity)
  const { network } = useNetwork()
  const { status, hash } = transaction.metadata
  const amounts = getTransferAmounts(transaction.transfers)
  const verb = useVerb(transaction)
  const other = useOther(transaction)
  const lookalike = findLookalike(other, known)
  // A changed balance has no transaction.
  const explorer = hash === '' ? undefined : explorerUrl(network, { hash })
  const parts = {
    start: <Pictures amounts={amounts} status={status} />,
    label: (
      <span className={styles.verb}>
        <span>{verb}</span>
        {status === 'failed' && <Tag tone="danger">{t('activity.failed')}</Tag>}
        {lookalike !== undefined && (
          <Tag tone="danger">
            <span title={t('activity.lookalikeHint', { address: lookalike })}>
              {t('activity.lookalike')}
            </span>
          </Tag>
        )}
        {status === 'pending' && <Tag>{t('activity.pending')}</Tag>}
      </span>
    ),
    detail: <Who transaction={transaction} other={other} />,
    end: (
      <span className={styles.end} data-failed={status === 'failed' || undefined}>
        {amounts.slice(0, shownAmounts).map((amount) => (
          <AmountText key={getAmountKey(amount)} amount={amount} />
        ))}
        <small>
          {amounts.length > shownAmounts && (
            <>{t('activity.more', { count: amounts.length - shownAmounts })} · </>
          )}
          <Age minedAt={transaction.metadata.minedAt} age={age} />
        </small>
      </span>
    ),
  }
  return explorer ? <LinkRow href={explorer} {...parts} /> : <FactRow {...parts} />
})

const getAmountKey = ({ direction, transfer }: TransferAmount) =>
  `${direction} ${transfer.address} ${transfer.tokenId} ${transfer.fungible_info?.symbol} ${transfer.nft_info?.name}`

function useVerb({ metadata, transfers }: HistoryTransaction): string {
  const t = useT(enActivity)
  const isToSelf = transfers.length > 0 && transfers.every(({ direction }) => direction === 'self')
  if (isToSelf) return t('activity.self')
  const known = operationTypes.find((type) => type === metadata.operationType)
  return t(`activity.${known ?? 'other'}`)
}

/**
 * The other party's address: the recipient or the contract if the account sent, otherwise the
 * sender.
 */
function useOther({ metadata: { sentFrom, sentTo } }: HistoryTransaction): string {
  const { address = '' } = useAccount()
  const { chainNamespace: namespace } = useNetwork().network
  return isSameAddress({ namespace, one: sentFrom, other: address }) ? sentTo : sentFrom
}

/** The other side: the sender, the recipient or the contract; an application by its name. */
function Who({ transaction, other }: { transaction: HistoryTransaction; other: string }) {
  const t = useT(enActivity)
  const { chainNamespace: namespace } = useNetwork().network
  const { sentFrom, application, blocks } = transaction.metadata
  if (application?.name) return t('activity.with', { who: application.name })
  if (blocks !== undefined) {
    const [from, to] = [String(blocks.after + 1), String(blocks.to)]
    return from === to ? t('activity.inBlock', { block: to }) : t('activity.inBlocks', { from, to })
  }
  // A pool is no recipient.
  if (transaction.metadata.operationType === 'trade') return null
  const isMine = other !== sentFrom
  // The creation of a contract has no other side.
  if (other === '' || isZeroAddress({ namespace, address: other })) return null
  return (
    <bdi title={other} className={styles.who}>
      {t(isMine ? 'activity.to' : 'activity.from', { who: truncateAddress(other) })}
    </bdi>
  )
}

const signs = { in: '+', out: '−', self: '' } as const

function AmountText({ amount }: { amount: TransferAmount }) {
  const t = useT(enActivity)
  const { direction, numeric, transfer } = amount
  const { fungible_info, nft_info } = transfer
  const name = nft_info
    ? (nft_info.name ?? t('activity.nft'))
    : (fungible_info?.symbol ?? fungible_info?.name ?? t('activity.token'))
  const quantity = nft_info && numeric === '1' ? '' : `${shortQuantity(numeric)} `
  return (
    <span
      className={styles.amount}
      translate="no"
      data-direction={direction}
      title={`${signs[direction]}${numeric} ${name}`}
      dir="ltr"
    >
      {signs[direction]}
      {quantity}
      {name}
    </span>
  )
}

function Age({ minedAt, age }: { minedAt: string; age: string | undefined }) {
  const { locale } = useLatchkey()
  if (age === undefined) return null
  const full = new Date(minedAt).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'medium' })
  return (
    <time dateTime={minedAt} title={full} dir="auto">
      {age}
    </time>
  )
}

/** The amounts that moved, at most two; an icon if nothing moved. */
function Pictures({ amounts, status }: { amounts: readonly TransferAmount[]; status: string }) {
  const app = useApp()
  const [first, second] = amounts
  if (!first) return <RowIcon name={status === 'failed' ? 'alert' : 'sliders'} />
  const renderPicture = ({ transfer }: TransferAmount, size: 24 | 40) => (
    <Picture
      src={serverImageUrl(app, getPictureUrl(transfer))}
      name={transfer.nft_info?.name ?? transfer.fungible_info?.symbol ?? '?'}
      size={size}
      round={!transfer.nft_info}
    />
  )
  return (
    <span className={styles.pictures}>
      {renderPicture(first, 40)}
      {second ? (
        <span className={styles.second}>{renderPicture(second, 24)}</span>
      ) : (
        <span className={styles.mark} data-direction={first.direction} aria-hidden="true">
          <Icon name={first.direction === 'in' ? 'receive' : 'send'} size={16} />
        </span>
      )}
    </span>
  )
}

const getPictureUrl = ({ fungible_info, nft_info }: HistoryTransfer): string | null =>
  (nft_info ? nft_info.content?.preview?.url : fungible_info?.icon?.url) ?? null

/** A quantity without zeros at its end. */
const shortQuantity = (numeric: string) => formatQuantity(numeric).replace(/\.?0+$/, '')
