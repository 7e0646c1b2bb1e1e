import { isZeroAddress, truncateAddress } from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import styles from './OtherSideText.module.css'
import type { OtherSide } from './useOtherSide.ts'

/**
 * The other side of a transaction: the sender, the recipient, the contract or the application, by
 * its name if it is known. For an unknown transaction, its blocks.
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
  const { sentFrom, application, blocks } = transaction.metadata
  if (application?.name) return t('activity.with', { who: application.name })
  if (blocks !== undefined) {
    const [from, to] = [String(blocks.after + 1), String(blocks.to)]
    return from === to ? t('activity.inBlock', { block: to }) : t('activity.inBlocks', { from, to })
  }
  // A pool is no recipient.
  if (transaction.metadata.operationType === 'trade') return null
  const isMine = address !== sentFrom
  // The creation of a contract has no other side.
  if (address === '' || isZeroAddress({ namespace, address })) return null
  return (
    <bdi title={address} className={styles.who} data-named={name !== undefined || undefined}>
      {t(isMine ? 'activity.to' : 'activity.from', { who: name ?? truncateAddress(address) })}
    </bdi>
  )
}
