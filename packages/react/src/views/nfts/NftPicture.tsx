import type { Nft } from '@latchkey/wire'
import { useState } from 'react'
import { Avatar } from '../../parts/Avatar.tsx'
import styles from './NftPicture.module.css'

/**
 * An NFT's picture in a square, or a picture generated from its contract and id if it has no
 * picture or it cannot be loaded. `whole` shows all of a picture that is not square.
 */
export function NftPicture({ nft, whole = false }: { nft: Nft; whole?: boolean }) {
  const { imageUrl, address, tokenId, metadata } = nft
  const [picture, setPicture] = useState<{ url: string; isLoaded: boolean }>()
  const known = picture?.url === imageUrl ? picture : undefined
  const hasImage = imageUrl !== null && known?.isLoaded !== false
  const isWaiting = hasImage ? !known : metadata === 'pending'
  const state = isWaiting ? 'loading' : hasImage ? 'image' : 'mark'
  return (
    <span
      className={styles.picture}
      data-state={state}
      data-whole={whole || undefined}
      aria-hidden="true"
    >
      {state === 'loading' && <span className={styles.wait} />}
      {state === 'mark' && (
        <span className={styles.mark}>
          <Avatar address={`${address}/${tokenId}`} size={48} />
        </span>
      )}
      {hasImage && (
        <img
          src={imageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setPicture({ url: imageUrl, isLoaded: true })}
          onError={() => setPicture({ url: imageUrl, isLoaded: false })}
        />
      )}
    </span>
  )
}
