import { useState } from 'react'

/** The logo of a wallet, network or token, or its first letter if it has no usable logo. */
export function Logo({ src, name }: { src: string | undefined; name: string }) {
  const [failed, setFailed] = useState<string>()
  const isSafe = src !== undefined && /^(data:image\/|https?:\/\/|\/)/i.test(src)
  return (
    <span className="logo" aria-hidden="true">
      {isSafe && src !== failed ? (
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setFailed(src)} />
      ) : (
        ([...name.trim()][0]?.toUpperCase() ?? '?')
      )}
    </span>
  )
}
