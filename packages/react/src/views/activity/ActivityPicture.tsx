import { serverImageUrl, type TransferAmount } from '@latchkey/core/internal'
import type { HistoryTransfer } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { RowIcon } from '../../parts/Row.tsx'
import styles from './ActivityPicture.module.css'
import type { OtherSide } from './useOtherSide.ts'

/**
 * The amounts that moved, at most two, or the account on the other side of a token if it has a
 * name; an icon if nothing moved.
 */
export function ActivityPicture({
  amounts,
  status,
  other,
}: {
  amounts: readonly TransferAmount[]
  status: string
  other: OtherSide
}) {
  const app = useApp()
  const [first, second] = amounts
  if (!first) return <RowIcon name={status === 'failed' ? 'alert' : 'sliders'} />
  const renderAsset = ({ transfer }: TransferAmount, size: 24 | 40) => (
    <Picture
      src={serverImageUrl(app, getPictureUrl(transfer))}
      name={transfer.nft_info?.name ?? transfer.fungible_info?.symbol ?? '?'}
      size={size}
      round={!transfer.nft_info}
    />
  )
  const isPerson = other.name !== undefined && !first.transfer.nft_info && !second
  return (
    <span className={styles.pictures}>
      {isPerson ? (
        <ProfilePicture address={other.address} imageUrl={other.imageUrl} size={40} />
      ) : (
        renderAsset(first, 40)
      )}
      {second ? (
        <span className={styles.second}>{renderAsset(second, 24)}</span>
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
