import { findFailedOrder, isZeroAddress, truncateAddress } from '@latchkey/core/internal'
import type { HistoryApproval, HistoryTransaction } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useContact } from '../../app/useContact.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { formatMoney } from '../buy/formatMoney.ts'
import { useAllowed } from './activityText.ts'
import styles from './OtherSideText.module.css'
import type { OtherSide } from './useOtherSide.ts'

/**
 * The other side of a transaction: the sender, the recipient, the contract or the application, by
 * its name if it is known. For an approval, what it allows the spender. For an unknown transaction,
 * its blocks.
 */
export function OtherSideText({
  transaction,
  other: { address, name },
}: {
  transaction: HistoryTransaction
  other: OtherSide
}) {
  const t = useT(enActivity)
  const { chainNamespace: namespace } = useNetwork().network
  const { sentFrom, application, approval, blocks, operationType } = transaction.metadata
  const { locale } = useLatchkey()
  const { paymentAmount: paid, paymentCurrency: currency = '' } =
    findFailedOrder(useApp(), transaction)?.failed ?? {}
  if (application?.name) {
    const who = application.name
    if (!paid) return t('activity.with', { who })
    return t('activity.paidTo', { who, amount: formatMoney({ amount: paid, currency }, locale) })
  }
  if (blocks !== undefined) {
    const [from, to] = [String(blocks.after + 1), String(blocks.to)]
    return from === to ? t('activity.inBlock', { block: to }) : t('activity.inBlocks', { from, to })
  }
  // A pool is no recipient.
  if (operationType === 'trade') return null
  if (approval) return <ApprovalText approval={approval} isRevoked={operationType === 'revoke'} />
  const isMine = address !== sentFrom
  const isContract =
    name === undefined && (operationType === 'approve' || operationType === 'revoke')
  const who = name ?? truncateAddress(address)
  // The creation of a contract has no other side.
  if (address === '' || isZeroAddress({ namespace, address })) return null
  return (
    <bdi title={address} className={styles.who} data-wraps={name !== undefined || undefined}>
      {t(isContract ? 'activity.contract' : isMine ? 'activity.to' : 'activity.from', { who })}
    </bdi>
  )
}

function ApprovalText({ approval, isRevoked }: { approval: HistoryApproval; isRevoked: boolean }) {
  const t = useT(enActivity)
  const what = useAllowed(approval, isRevoked)
  const { spender } = approval
  const who = useContact(spender)?.name ?? truncateAddress(spender)
  return (
    <bdi title={spender} className={styles.who} data-wraps>
      {t('activity.allowed', { what, who })}
    </bdi>
  )
}
