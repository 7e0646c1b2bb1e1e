import type { NftRef } from '@latchkey/core'
import type { Nft } from '@latchkey/wire'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import views from '../view.module.css'
import { NftPicture } from './NftPicture.tsx'
import styles from './Nfts.module.css'
import { nftName, nftRef } from './nftText.ts'

/** A preview of an NFT, with its collection unless a heading names that. */
export function NftCard({
  nft,
  isGrouped = false,
  onChoose,
}: {
  nft: Nft
  isGrouped?: boolean
  onChoose: (nft: NftRef) => void
}) {
  const t = useT(enHoldings)
  const name = nftName(nft)
  return (
    <button
      type="button"
      className={styles.card}
      title={name}
      onClick={() => onChoose(nftRef(nft))}
    >
      <NftPicture nft={nft} />
      <bdi translate="no" className={styles.name}>
        {name}
      </bdi>
      {!isGrouped && (
        <bdi translate="no" className={styles.collection}>
          {nft.collection.name ?? nft.collection.symbol}
        </bdi>
      )}
      {nft.isSpam && <span className={styles.spam}>{t('nft.spamMark')}</span>}
      {nft.quantity !== '1' && (
        <span className={styles.count}>
          <span aria-hidden="true">×{short(nft.quantity)}</span>
          <span className={views.hidden}>{t('nft.some', { count: nft.quantity })}</span>
        </span>
      )}
    </button>
  )
}

/** A short quantity that fits on a picture. */
const short = (quantity: string) => (quantity.length > 6 ? '999999+' : quantity)
