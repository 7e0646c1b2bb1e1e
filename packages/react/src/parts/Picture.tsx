import { useState } from 'react'
import styles from './Picture.module.css'

/** Allowed image sources: a wallet's announcement must not name anything else. */
const isSafe = (source: string) => /^(data:image\/|https?:\/\/|\/|blob:)/i.test(source)

/**
 * The logo of a wallet, network or token, or its first letter. Decoration: a name is next to it.
 */
export function Picture({
  src,
  name,
  size = 40,
  round = false,
}: {
  src: string | undefined
  name: string
  size?: 20 | 24 | 40 | 56 | 64 | 80 | 'code'
  round?: boolean
}) {
  const [failed, setFailed] = useState<string>()
  const isShown = src !== undefined && src !== failed && isSafe(src)
  return (
    <span
      className={styles.picture}
      data-size={size}
      data-round={round || undefined}
      data-letter={isShown ? undefined : ([...name.trim()][0]?.toUpperCase() ?? '?')}
      aria-hidden="true"
    >
      {isShown && (
        <img
          src={src}
          alt=""
          // A picture that came with its wallet needs no request, so it is ready before it is
          // shown.
          loading={src.startsWith('data:') ? undefined : 'lazy'}
          decoding="async"
          onError={() => setFailed(src)}
        />
      )}
    </span>
  )
}
