import { providerNames, type SocialProvider } from '@latchkey/wire'
import styles from './social.module.css'

// Where another provider begins with the same letter.
const twoLetters: { readonly [P in SocialProvider]?: string } = { github: 'Gh', farcaster: 'Fc' }

/**
 * A mark of our own for a provider: a letter beside its name, since the providers' marks are
 * theirs.
 */
export const SocialMark = ({
  provider,
  size = 24,
}: {
  provider: SocialProvider
  size?: 24 | 40 | 80
}) => (
  <span
    className={styles.mark}
    data-size={size}
    // Drawn by the style: it is no part of the text of a button.
    data-letter={twoLetters[provider] ?? providerNames[provider].slice(0, 1)}
    aria-hidden="true"
  />
)
