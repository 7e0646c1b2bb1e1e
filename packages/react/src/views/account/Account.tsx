import {
  explorerUrl,
  formatQuantity,
  getNamespaceName,
  isConnected,
  networkImageUrl,
  pushView,
  setAccountTab,
  truncateAddress,
} from '@latchkey/core'
import type { ComponentType } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useLoaded } from '../../app/useLoaded.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useProfile } from '../../hooks/useProfile.ts'
import { useActivityT } from '../../locales/useActivityT.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { SkeletonLine, SkeletonRows } from '../../parts/Skeleton.tsx'
import { formatDollars } from '../formatDollars.ts'
import styles from './Account.module.css'
import { Disconnect } from './Disconnect.tsx'
import { NamespaceSwitch } from './NamespaceSwitch.tsx'
import { Tokens } from './Tokens.tsx'

/** The connected account: its name, balance and network, and what the user can do with it. */
export function Account() {
  const { address } = useAccount()
  if (address === undefined) return <NoAccount />
  return (
    <div className={styles.view}>
      <NamespaceSwitch />
      <AccountHeader address={address} />
      <TotalBalance />
      <Actions address={address} />
      <Holdings />
      <Disconnect />
    </div>
  )
}

/** The active namespace has no account; another one may. */
function NoAccount() {
  const app = useApp()
  const t = useT()
  const { chainNamespace } = useNetwork().network
  const hasOther = useAppState(({ connections }) => Object.values(connections).some(isConnected))
  if (!hasOther) return <Notice icon="wallet" title={t('account.gone')} />
  return (
    <div className={styles.view}>
      <NamespaceSwitch />
      <Notice
        icon="wallet"
        title={t('account.notConnected', { name: getNamespaceName(chainNamespace) })}
        action={
          <Button onClick={() => pushView(app, { name: 'Connect' })}>{t('account.connect')}</Button>
        }
      >
        {t('account.notConnectedHint')}
      </Notice>
    </div>
  )
}

const loadNfts = () => import('../nfts/NftsTab.tsx').then(({ NftsTab }) => NftsTab)
const loadActivity = () => import('./ActivityList.tsx').then(({ ActivityList }) => ActivityList)

/** Tokens, NFTs and activity, in the tabs that can be offered. */
function Holdings() {
  const app = useApp()
  const t = useT()
  const capabilities = useAppCapabilities()
  const savedTab = useAppState((state) => state.accountTab)
  const tabs = (['tokens', 'nfts', 'activity'] as const).filter((tab) => {
    if (tab === 'activity') return capabilities.history
    return tab === 'tokens' || capabilities.nfts
  })
  const tab = tabs.find((value) => value === savedTab) ?? 'tokens'
  return (
    <div className={styles.tabs}>
      <Segments
        label={t('account.tabs')}
        value={tab}
        onChange={(next) => setAccountTab(app, next)}
        tabs={tabs.map((value) => ({ value, label: t(`account.${value}`) }))}
      >
        <div className={styles.panel}>
          {tab === 'tokens' && <Tokens />}
          {tab === 'nfts' && <Lazy load={loadNfts} />}
          {tab === 'activity' && <Lazy load={loadActivity} />}
        </div>
      </Segments>
    </div>
  )
}

/** A tab whose code loads when it is first selected. */
function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const t = useT()
  const { value: Loaded, status, retry } = useLoaded(load, true)
  if (Loaded) return <Loaded />
  if (status !== 'failed') return <SkeletonRows rows={4} label={t('shell.loading')} />
  return (
    <Notice
      icon="alert"
      role="alert"
      title={t('shell.viewFailed')}
      action={<Button onClick={retry}>{t('action.tryAgain')}</Button>}
    />
  )
}

function AccountHeader({ address }: { address: string }) {
  const app = useApp()
  const t = useT()
  const { network, networks } = useNetwork()
  const { wallet } = useAccount()
  const { accountSettings } = useAppCapabilities()
  const email = useAppState((state) => state.user?.email)
  const { copied, copy } = useCopy()
  const profile = useProfile()
  const { name } = network
  return (
    <div className={styles.who}>
      <ProfilePicture address={address} imageUrl={profile.imageUrl} size={48} />
      <div className={styles.chips}>
        <button
          type="button"
          className={styles.chip}
          title={[profile.name, address].join(' ').trim()}
          aria-label={[t('action.copyAddress'), truncateAddress(address), profile.name]
            .join(' ')
            .trim()}
          onClick={() => copy(address)}
        >
          {profile.name === undefined ? (
            <span className={styles.address}>{truncateAddress(address)}</span>
          ) : (
            <bdi className={styles.profile}>{profile.name}</bdi>
          )}
          <Icon name={copied ? 'check' : 'copy'} size={16} />
        </button>
        <button
          type="button"
          className={styles.chip}
          disabled={networks.length < 2 || app.config.enableNetworkSwitch === false}
          aria-label={t('account.switchNetwork', { name })}
          onClick={() => pushView(app, { name: 'Networks' })}
        >
          <Picture src={networkImageUrl(app, network)} name={name} size={20} round />
          <span className={styles.networkName}>{name}</span>
          <Icon name="down" size={16} />
        </button>
      </div>
      {accountSettings && (
        <button
          type="button"
          className={styles.chip}
          aria-label={t('settings.open', { email: email ?? '' })}
          onClick={() => pushView(app, { name: 'AccountSettings' })}
        >
          <Icon name="sliders" size={16} />
          <bdi className={styles.networkName}>{email ?? t('settings.title')}</bdi>
        </button>
      )}
      {wallet && !accountSettings && (
        <p className={styles.wallet}>
          <Picture src={wallet.iconUrl} name={wallet.name} size={20} />
          <span>{t('account.wallet', { name: wallet.name })}</span>
        </p>
      )}
      <span className={styles.hidden} role="status">
        {copied && t('action.copied')}
      </span>
    </div>
  )
}

function TotalBalance() {
  const t = useActivityT()
  const { locale } = useLatchkey()
  const { network } = useNetwork()
  const { native, totalValue, unpriced, isPending, error, isAvailable } = useBalances()
  if (!isAvailable) return null
  const { symbol } = network.nativeCurrency
  return (
    <div className={styles.howMuch} aria-busy={isPending || undefined}>
      <p className={styles.amount}>
        {isPending ? (
          <SkeletonLine wide />
        ) : native === undefined && error !== null ? (
          <span className={styles.failed}>{t('account.balanceFailed')}</span>
        ) : (
          <>
            {formatQuantity(native?.quantity.numeric)} <small>{symbol}</small>
          </>
        )}
      </p>
      <p className={styles.total}>
        {totalValue !== undefined &&
          t('account.total', { value: formatDollars(totalValue, locale) })}
      </p>
      {totalValue !== undefined && unpriced > 0 && (
        <p className={styles.partly}>{t('tokens.partly', { count: unpriced })}</p>
      )}
    </div>
  )
}

function Actions({ address }: { address: string }) {
  const app = useApp()
  const t = useT()
  const { network } = useNetwork()
  const { status } = useAccount()
  const capabilities = useAppCapabilities()
  const explorer = explorerUrl(network, { address })
  return (
    <div className={styles.actions}>
      {capabilities.send && (
        <button
          type="button"
          className={styles.action}
          disabled={status !== 'connected'}
          onClick={() => pushView(app, { name: 'Send' })}
        >
          <Icon name="send" />
          {t('account.send')}
        </button>
      )}
      {capabilities.receive && (
        <button
          type="button"
          className={styles.action}
          onClick={() => pushView(app, { name: 'Receive' })}
        >
          <Icon name="receive" />
          {t('account.receive')}
        </button>
      )}
      {capabilities.registerName && (
        <button
          type="button"
          className={styles.action}
          onClick={() => pushView(app, { name: 'Names' })}
        >
          <Icon name="tag" />
          {t('account.names')}
        </button>
      )}
      {explorer && (
        <a className={styles.action} href={explorer} target="_blank" rel="noreferrer noopener">
          <Icon name="external" />
          {t('account.explorer')}
        </a>
      )}
    </div>
  )
}
