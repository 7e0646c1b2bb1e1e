import { providerNames, type SocialProvider } from '@latchkey/wire'
import styles from './social.module.css'

// For providers whose first letter is the same.
const twoLetters: { readonly [P in SocialProvider]?: string } = { github: 'Gh', farcaster: 'Fc' }

/**
 * Our own mark for a provider: a letter next to its name, because the providers' marks are
 * trademarks.
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
    // Drawn by the style: it does not belong to the label of a button.
    data-letter={twoLetters[provider] ?? providerNames[provider].slice(0, 1)}
    aria-hidden="true"
  />
)
