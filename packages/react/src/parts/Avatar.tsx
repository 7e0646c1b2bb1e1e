import { useId } from 'react'
import styles from './Avatar.module.css'

/** A picture generated from an address: the same address always looks the same. */
export function Avatar({ address, size = 24 }: { address: string; size?: 24 | 40 | 48 }) {
  const id = useId()
  const [hue = 0, angle = 0, offset = 0] = draw(address.toLowerCase())
  return (
    <svg
      className={styles.avatar}
      width={size}
      height={size}
      viewBox="0 0 64 64"
      aria-hidden="true"
      data-avatar={hue}
    >
      <defs>
        <linearGradient id={id} gradientTransform={`rotate(${angle % 90})`}>
          <stop offset="0" stopColor={`hsl(${hue} 72% 58%)`} />
          <stop offset="1" stopColor={`hsl(${(hue + 40 + (offset % 80)) % 360} 76% 42%)`} />
        </linearGradient>
      </defs>
      <rect width="64" height="64" fill={`url(#${id})`} />
      <g
        transform={`rotate(${angle} 32 32)`}
        fill={`hsl(${(hue + 300) % 360} 80% 78%)`}
        opacity=".55"
      >
        <circle cx={14 + (offset % 20)} cy={18} r={18 + (angle % 8)} />
      </g>
    </svg>
  )
}

/** Three angles in degrees from a string (FNV-1a). */
function draw(text: string): number[] {
  let hash = 0x811c9dc5
  return [0, 1, 2].map((round) => {
    for (const character of `${round}${text}`) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
    }
    return hash % 360
  })
}
