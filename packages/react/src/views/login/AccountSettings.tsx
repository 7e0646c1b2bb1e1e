import {
  networkImageUrl,
  openFramePage,
  showToast,
  showView,
  signOut,
  truncateAddress,
} from '@latchkey/core/internal'
import { type FramePage, isError, providerNames, type SocialProvider } from '@latchkey/wire'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useCopyAddress } from '../../app/useCopyAddress.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useCapabilities } from '../../hooks/calls/useCapabilities.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, Row, RowIcon } from '../../parts/Row.tsx'
import styles from '../view.module.css'
import { SocialMark } from './SocialMark.tsx'

const pages = [
  ['sign-ins', 'mail', 'signIns'],
  ['recovery', 'shield', 'recovery'],
  ['devices', 'phone', 'devices'],
  ['smart-account', 'sliders', 'smartAccount'],
  ['fresh-wallet', 'swap', 'fresh'],
  ['export', 'key', 'export'],
  ['settings', 'image', 'data'],
] as const satisfies readonly (readonly [FramePage, IconName, string])[]

/** The settings of the embedded wallet: account, devices, recovery, and signing out. */
export function AccountSettings() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enLogin)
  const { address } = useAccount()
  const { network, networks } = useNetwork()
  const user = useAppState((state) => state.user)
  const { copied, copyAddress } = useCopyAddress()
  const page = useAction(openFramePage)
  const { data: capabilities } = useCapabilities()
  const openPage = (name: FramePage) =>
    name === 'smart-account' && capabilities?.atomic === 'unsupported'
      ? showToast(app, { message: t('settings.noSmartAccount'), variant: 'error' })
      : page.mutate({ page: name })
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  const { name } = network
  return (
    <div className={styles.column}>
      <Row
        start={<RowIcon name="wallet" />}
        label={t('settings.address')}
        detail={
          <bdi translate="no" title={address}>
            {truncateAddress(address)}
          </bdi>
        }
        end={
          <>
            <Icon name={copied ? 'check' : 'copy'} />
            <span className={styles.hidden}>{t('action.copyAddress')}</span>
          </>
        }
        onClick={() => copyAddress(address)}
      />
      {user?.email === undefined && !app.config.login.email ? (
        <FactRow
          start={<RowIcon name="mail" />}
          label={t('settings.email')}
          detail={t('settings.noEmail')}
        />
      ) : (
        <Row
          start={<RowIcon name="mail" />}
          label={t('settings.email')}
          detail={
            user?.email === undefined ? (
              t('settings.addEmail')
            ) : (
              <bdi translate="no">{user.email}</bdi>
            )
          }
          end={<Icon name="forward" />}
          onClick={() => showView(app, { name: 'UpdateEmail' })}
        />
      )}
      <Provider />
      <Row
        start={<Picture src={networkImageUrl(app, network)} name={name} />}
        label={t('settings.network')}
        detail={name}
        end={<Icon name="forward" />}
        disabled={networks.length < 2 || !app.config.modal.networkSwitch}
        onClick={() => showView(app, { name: 'Networks' })}
      />
      {pages.map(([name, icon, text]) => (
        <Row
          key={name}
          start={<RowIcon name={icon} />}
          label={t(`settings.${text}`)}
          detail={t(`settings.${text}Hint`)}
          end={<Icon name={name === 'export' ? 'external' : 'forward'} />}
          onClick={() => void openPage(name)}
        />
      ))}
      <p className={styles.problem} role="alert">
        {page.status === 'error' && !isError(page.error, 'USER_REJECTED') && getMessage(page.error)}
      </p>
      <span className={styles.hidden} role="status">
        {copied && t('action.copied')}
      </span>
      <SignOut />
    </div>
  )
}

/**
 * The provider at which the user has logged in, and the user's name there; nothing if neither is
 * known.
 */
function Provider() {
  const t = useT(enLogin)
  const user = useAppState((state) => state.user)
  const provider = socials.find((each) => each === user?.socialProvider)
  if (!provider && !user?.username) return null
  return (
    <FactRow
      start={provider ? <SocialMark provider={provider} size={40} /> : <RowIcon name="key" />}
      label={
        provider
          ? t('settings.provider', { name: providerNames[provider] })
          : t('settings.userName')
      }
      detail={user?.username && <bdi translate="no">{user.username}</bdi>}
    />
  )
}

const socials = Object.keys(providerNames) as SocialProvider[]

function SignOut() {
  const app = useApp()
  const t = useT(enLogin)
  const { mutateAsync: run, status } = useAction(signOut)
  const leave = async () => {
    try {
      await run(undefined)
    } catch {
      showToast(app, { message: t('settings.signOutFailed'), variant: 'error' })
    }
  }
  return (
    <Button variant="danger" icon="disconnect" busy={status === 'pending'} onClick={leave}>
      {t(status === 'pending' ? 'settings.signingOut' : 'settings.signOut')}
    </Button>
  )
}
