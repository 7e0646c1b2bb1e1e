import { askSocial, pushView } from '@latchkey/core/internal'
import { providerNames, type SocialProvider } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { useOpened } from '../../modal/useColumns.ts'
import { Button } from '../../parts/Button.tsx'
import { SkeletonButton } from '../../parts/Skeleton.tsx'
import view from '../view.module.css'
import { PasskeyButtons } from './PasskeyButtons.tsx'
import { SocialMark } from './SocialMark.tsx'
import styles from './social.module.css'
import { useSocials } from './useSocials.ts'

/** How many buttons have space for names next to each other. */
const namedButtons = 2
/** How many buttons with marks alone fit into a row; the last opens the list of all providers. */
const markedButtons = 5

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
  const { email, passkeyAccounts } = app.config.login
  return (
    <>
      {separator === 'above' && or}
      {providers ? <Buttons providers={providers} disabled={disabled} /> : <SkeletonButton />}
      {!email && !passkeyAccounts && <PasskeyButtons disabled={disabled} />}
      {separator === 'below' && or}
    </>
  )
}

/**
 * The providers as a row of buttons: with their names if these fit, otherwise with their marks
 * alone. A button for the list follows if some do not fit.
 */
function Buttons({
  providers,
  disabled,
}: {
  providers: readonly SocialProvider[]
  disabled: boolean
}) {
  const app = useApp()
  const t = useT(enLogin)
  const opened = useOpened()
  const current =
    opened?.name === 'ConnectingFarcaster'
      ? 'farcaster'
      : opened?.name === 'ConnectingSocial' && opened.provider
  const isOnly = providers.length === 1
  const hasNames = providers.length <= namedButtons
  const isAll = providers.length <= markedButtons
  return (
    <div className={styles.pair}>
      {(isAll ? providers : providers.slice(0, markedButtons - 1)).map((provider) => {
        const name = providerNames[provider]
        const label = t('social.continue', { name })
        return (
          <Button
            key={provider}
            variant="quiet"
            disabled={disabled}
            aria-current={provider === current || undefined}
            aria-label={label}
            title={hasNames ? undefined : label}
            onClick={() => askSocial(app, { provider })}
          >
            <span className={styles.choice}>
              <SocialMark provider={provider} />
              {hasNames && <span>{isOnly ? label : name}</span>}
            </span>
          </Button>
        )
      })}
      {!isAll && (
        <Button
          variant="quiet"
          disabled={disabled}
          aria-current={opened?.name === 'ConnectSocials' || undefined}
          aria-label={t('social.all')}
          onClick={() => pushView(app, { name: 'ConnectSocials' })}
        >
          {t('social.more')}
        </Button>
      )}
    </div>
  )
}
