import { askSocial, pushView } from '@latchkey/core/internal'
import { providerNames, type SocialProvider } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { SkeletonButton } from '../../parts/Skeleton.tsx'
import view from '../view.module.css'
import { PasskeyButton } from './PasskeyButton.tsx'
import { SocialMark } from './SocialMark.tsx'
import styles from './social.module.css'
import { useSocials } from './useSocials.ts'

/** How many providers have their own button; the rest are in a list. */
const LARGE_BUTTONS = 2

/**
 * The part of the Connect view for providers, with the line that separates it from its neighbor.
 * Draws nothing without providers.
 */
export function SocialPart({
  disabled,
  separator,
}: {
  disabled: boolean
  separator: 'above' | 'below' | undefined
}) {
  const app = useApp()
  const t = useT(enLogin)
  const providers = useSocials()
  if (providers?.length === 0) return null
  const or = <p className={view.or}>{t('connect.or')}</p>
  return (
    <>
      {separator === 'above' && or}
      {providers ? <Buttons providers={providers} disabled={disabled} /> : <SkeletonButton />}
      {!app.config.login.email && <PasskeyButton disabled={disabled} />}
      {separator === 'below' && or}
    </>
  )
}

/** The first providers as buttons, and a button for all of them. */
function Buttons({
  providers,
  disabled,
}: {
  providers: readonly SocialProvider[]
  disabled: boolean
}) {
  const app = useApp()
  const t = useT(enLogin)
  const isOnly = providers.length === 1
  return (
    <div className={styles.pair}>
      {providers.slice(0, LARGE_BUTTONS).map((provider) => {
        const name = providerNames[provider]
        return (
          <Button
            key={provider}
            variant="quiet"
            disabled={disabled}
            aria-label={t('social.continue', { name })}
            onClick={() => askSocial(app, { provider })}
          >
            <span className={styles.choice}>
              <SocialMark provider={provider} />
              <span>{isOnly ? t('social.continue', { name }) : name}</span>
            </span>
          </Button>
        )
      })}
      {providers.length > LARGE_BUTTONS && (
        <Button
          variant="quiet"
          disabled={disabled}
          aria-label={t('social.all')}
          onClick={() => pushView(app, { name: 'ConnectSocials' })}
        >
          {t('social.more')}
        </Button>
      )}
    </div>
  )
}
