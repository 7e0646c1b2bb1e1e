import { getTransferAmounts, showView, type TransferAmount } from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { memo } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Row, Tag } from '../../parts/Row.tsx'
import { ActivityPicture } from '../activity/ActivityPicture.tsx'
import { getTimes, shortQuantity, signs, useAssetName, useVerb } from '../activity/activityText.ts'
import { OtherSideText } from '../activity/OtherSideText.tsx'
import { useOtherSide } from '../activity/useOtherSide.ts'
import styles from './ActivityRow.module.css'

/** The number of amounts that a row shows; the row counts the rest. */
const shownAmounts = 2

/**
 * A transaction: its action, the other party, the amounts, the time and the user's note. Opens its
 * details. It is redrawn only when its labels or the addresses that the user knows (`known`)
 * change, because a list may be long.
 */
export const ActivityRow = memo(function ActivityRow({
  transaction,
  age,
  known,
  note,
}: {
  transaction: HistoryTransaction
  age: string | undefined
  known: readonly string[]
  note: string | undefined
}) {
  const app = useApp()
  const t = useT(enActivity)
  const { status, minedAt } = transaction.metadata
  const amounts = getTransferAmounts(transaction.transfers)
  const verb = useVerb(transaction)
  const other = useOtherSide(transaction, known)
  return (
    <Row
      onClick={() => showView(app, { name: 'ActivityDetail', transaction })}
      start={<ActivityPicture amounts={amounts} status={status} other={other} />}
      label={
        <span className={styles.verb}>
          <span>{verb}</span>
          {status === 'failed' && <Tag tone="danger">{t('activity.failed')}</Tag>}
          {other.lookalike !== undefined && (
            <Tag tone="danger">
              <span title={t('activity.lookalikeHint', { address: other.lookalike })}>
                {t('activity.lookalike')}
              </span>
            </Tag>
          )}
          {status === 'pending' && <Tag>{t('activity.pending')}</Tag>}
        </span>
      }
      detail={
        <>
          <OtherSideText transaction={transaction} other={other} />
          {note !== undefined && (
            <bdi className={styles.note} title={note}>
              {note}
            </bdi>
          )}
        </>
      }
      end={
        <span className={styles.end} data-failed={status === 'failed' || undefined}>
          {amounts.slice(0, shownAmounts).map((amount) => (
            <AmountText key={getAmountKey(amount)} amount={amount} />
          ))}
          <small>
            {amounts.length > shownAmounts && (
              <>{t('activity.more', { count: amounts.length - shownAmounts })} · </>
            )}
            <Age minedAt={minedAt} age={age} />
          </small>
        </span>
      }
    />
  )
})

const getAmountKey = ({ direction, transfer }: TransferAmount) =>
  `${direction} ${transfer.address} ${transfer.tokenId} ${transfer.fungible_info?.symbol} ${transfer.nft_info?.name}`

function AmountText({ amount }: { amount: TransferAmount }) {
  const { direction, numeric, transfer } = amount
  const name = useAssetName(transfer)
  const times = getTimes(transfer)
  return (
    <span
      className={styles.amount}
      translate="no"
      data-direction={direction}
      title={`${signs[direction]}${numeric}${times} ${name}`}
      dir="ltr"
    >
      {`${signs[direction]}${shortQuantity(numeric)}${times} ${name}`}
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
