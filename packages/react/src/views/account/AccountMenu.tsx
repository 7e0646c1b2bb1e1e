import { pushView, type View } from '@latchkey/core/internal'
import type { ReactNode } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useFeatures } from '../../hooks/useFeatures.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import type { IconName } from '../../parts/Icon.tsx'
import styles from './AccountMenu.module.css'
import { Disconnect } from './Disconnect.tsx'
import { OtherAccount } from './OtherAccount.tsx'

/** The ways from the account to the rest: in a fixed place, while the assets scroll. */
export function AccountMenu() {
  const t = useT(enActivity)
  const { allowances, sessions, registerName } = useAppCapabilities()
  const { features } = useApp().config
  return (
    <div className={styles.menu}>
      {allowances ? (
        <Entry icon="shield" label={t('account.allowances')} view={{ name: 'Allowances' }} />
      ) : (
        <Place />
      )}
      {sessions ? (
        <Entry icon="clock" label={t('account.sessions')} view={{ name: 'SmartSessionList' }} />
      ) : (
        features.smartSessions && <Place />
      )}
      {registerName ? (
        <Entry icon="tag" label={t('account.names')} view={{ name: 'Names' }} />
      ) : (
        <Place />
      )}
      <ToSignIns />
      <ToSettings />
      <Entry icon="grid" label={t('account.wallets')} view={{ name: 'ConnectedWallets' }} />
      <OtherAccount />
      <Disconnect />
    </div>
  )
}

/**
 * The place of an entry until the server's features are known: nothing moves under a pointer. Only
 * on networks that usually have all features.
 */
function Place(): ReactNode {
  const { isLoading } = useFeatures()
  const { swap } = useNetwork().network
  return isLoading && swap && <span className={styles.waiting} aria-hidden="true" />
}

function Entry({
  icon,
  label,
  view,
  ...rest
}: {
  icon: IconName
  label: string
  view: View
  'aria-label'?: string
  title?: string
}) {
  const app = useApp()
  return (
    <Button variant="text" icon={icon} onClick={() => pushView(app, view)} {...rest}>
      {label}
    </Button>
  )
}

/** For an account that has signed in at our server: another backend has its own list. */
function ToSignIns() {
  const t = useT(enActivity)
  const { address } = useAccount()
  const isSignedIn = useAppState(({ sessions }) =>
    Object.values(sessions).some(
      (one) =>
        (one?.token ?? one?.csrfToken) &&
        one?.data.accountAddress.toLowerCase() === address?.toLowerCase(),
    ),
  )
  return isSignedIn && <Entry icon="key" label={t('siwx.signIns')} view={{ name: 'SignIns' }} />
}

/** For the embedded wallet only. */
function ToSettings() {
  const t = useT(enActivity)
  const { accountSettings } = useAppCapabilities()
  const user = useAppState((state) => state.user)
  const userName = user?.email ?? user?.username
  return (
    accountSettings && (
      <Entry
        icon="sliders"
        label={t('account.settings')}
        aria-label={t('settings.open', { email: userName ?? '' })}
        title={userName ?? t('settings.title')}
        view={{ name: 'AccountSettings' }}
      />
    )
  )
}
