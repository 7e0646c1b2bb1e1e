import { useState } from 'react'
import { Avatar } from './Avatar.tsx'
import styles from './ProfilePicture.module.css'

/**
 * An account's own picture, or the generated picture until it has loaded or if it has no picture.
 */
export function ProfilePicture({
  address,
  imageUrl,
  size = 24,
}: {
  address: string
  imageUrl?: string | undefined
  size?: 24 | 40 | 48
}) {
  const [picture, setPicture] = useState<{ url: string; isLoaded: boolean }>()
  const state = picture?.url === imageUrl ? picture : undefined
  const isFailed = state?.isLoaded === false
  return (
    <span className={styles.face} data-loading={state?.isLoaded ? undefined : true}>
      <Avatar address={address} size={size} />
      {imageUrl && !isFailed && (
        <img
          src={imageUrl}
          width={size}
          height={size}
          alt=""
          decoding="async"
          onLoad={() => setPicture({ url: imageUrl, isLoaded: true })}
          onError={() => setPicture({ url: imageUrl, isLoaded: false })}
        />
      )}
    </span>
  )
}
