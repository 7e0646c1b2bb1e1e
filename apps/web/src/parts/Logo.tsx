import { useState } from 'react'

/** A logo that is data: of a wallet, network or token; its first letter if there is none. */
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
