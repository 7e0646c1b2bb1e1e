import type { SocialProvider } from '@latchkey/wire'
import styles from './social.module.css'
import { socialMarks } from './socialMarks.ts'

/** The mark of a provider. Its name stands next to it, or is the label of its button. */
export function SocialMark({
  provider,
  size = 24,
}: {
  provider: SocialProvider
  size?: 24 | 40 | 80
}) {
  const { size: units, shapes } = socialMarks[provider]
  return (
    <span className={styles.mark} data-size={size} aria-hidden="true">
      <svg viewBox={`0 0 ${units} ${units}`} aria-hidden="true">
        {shapes.map(({ path, fill = 'currentColor' }) => (
          <path key={path} d={path} fill={fill} />
        ))}
      </svg>
    </span>
  )
}
