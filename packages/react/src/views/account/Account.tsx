import {
  explorerUrl,
  getNamespaceName,
  isConnected,
  pushView,
  setAccountTab,
  type WalletFeature,
} from '@latchkey/core/internal'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useFeatures } from '../../hooks/useFeatures.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { RecoveryNotice } from '../recovery/RecoveryNotice.tsx'
import { FurtherNamespaces } from '../wallets/FurtherNamespaces.tsx'
import styles from './Account.module.css'
import { AccountHeader, TotalBalance } from './AccountHeader.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { NamespaceSwitch } from './NamespaceSwitch.tsx'
import { Tokens } from './Tokens.tsx'

/** The connected account: its name, balance and network, and what the user can do with it. */
export function Account() {
  const { address } = useAccount()
  if (address === undefined) return <NoAccount />
  return (
    <div className={styles.account}>
      <NamespaceSwitch />
      <FurtherNamespaces />
      <AccountHeader address={address} />
      <RecoveryNotice />
      <TotalBalance address={address} />
      <SwapsOnTheirWay />
      <Actions address={address} />
      <Holdings />
      <AccountMenu />
    </div>
  )
}

const loadSentSwaps = () => import('../swap/SentSwaps.tsx').then(({ SentSwaps }) => SentSwaps)

/** The swaps from before a reload. Draws and loads nothing if no swaps are stored. */
function SwapsOnTheirWay() {
  const hasSwaps = useApp().storage.get('sentSwaps') !== undefined
  const { value: SentSwaps } = useLazyImport(loadSentSwaps, hasSwaps)
  return <div className={styles.swaps}>{SentSwaps && <SentSwaps />}</div>
}

/** The active namespace has no account; another namespace may have an account. */
function NoAccount() {
  const app = useApp()
  const t = useT(enActivity)
  const { chainNamespace } = useNetwork().network
  const hasOther = useAppState(({ connections }) => Object.values(connections).some(isConnected))
  if (!hasOther) return <EmptyState icon="wallet" title={t('account.gone')} />
  return (
    <div className={styles.view}>
      <NamespaceSwitch />
      <EmptyState
        icon="wallet"
        title={t('account.notConnected', { name: getNamespaceName(chainNamespace) })}
        action={
          <Button onClick={() => pushView(app, { name: 'Connect' })}>{t('account.connect')}</Button>
        }
      >
        {t('account.notConnectedHint')}
      </EmptyState>
    </div>
  )
}

const loadAdded = () => import('./AddedTokens.tsx').then(({ AddedTokens }) => AddedTokens)

/** Tokens that the user has added: only the embedded wallet reports them. */
function Added() {
  const { user } = useAccount()
  const { value: AddedTokens } = useLazyImport(loadAdded, user !== undefined)
  return user && AddedTokens && <AddedTokens />
}

const loadNfts = () => import('../nfts/NftsTab.tsx').then(({ NftsTab }) => NftsTab)
const loadActivity = () =>
  import('./ActivityList.tsx').then(({ AccountActivity }) => AccountActivity)

/** Tokens, NFTs and activity, in the tabs that can be offered. */
function Holdings() {
  const app = useApp()
  const t = useT(enActivity)
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
          {tab === 'tokens' && <Added />}
          {tab === 'nfts' && <Lazy load={loadNfts} />}
          {tab === 'activity' && <Lazy load={loadActivity} />}
        </div>
      </Segments>
    </div>
  )
}

/** A tab whose code loads when it is first selected. */
function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const t = useT(enActivity)
  const { value: Loaded, status, retry } = useLazyImport(load, true)
  if (Loaded) return <Loaded />
  if (status !== 'failed') return <SkeletonRows rows={4} label={t('shell.loading')} />
  return (
    <EmptyState
      icon="alert"
      role="alert"
      title={t('shell.viewFailed')}
      action={<Button onClick={retry}>{t('action.tryAgain')}</Button>}
    />
  )
}

/** The order of the actions, unless the app sets its own. */
const defaultOrder: readonly WalletFeature[] = ['onramp', 'swaps', 'receive', 'send']

function Actions({ address }: { address: string }) {
  const app = useApp()
  const t = useT(enActivity)
  const { network } = useNetwork()
  const { status } = useAccount()
  const capabilities = useAppCapabilities()
  const { isLoading } = useFeatures()
  const explorer = explorerUrl(network, { address })
  // Until the server's features are known, an action keeps its place: none moves under a pointer.
  const kept = isLoading && network.swap && (
    <span className={styles.action} data-waits aria-hidden="true" />
  )
  const order = new Set([...(app.config.modal.actionOrder ?? []), ...defaultOrder])
  const features: Record<WalletFeature, ReactNode> = {
    onramp: capabilities.onramp ? (
      <button
        type="button"
        className={styles.action}
        onClick={() => pushView(app, { name: 'Buy' })}
      >
        <Icon name="coins" />
        {t('account.buy')}
      </button>
    ) : (
      app.config.features.onramp && kept
    ),
    swaps: capabilities.swap ? (
      <button
        type="button"
        className={styles.action}
        disabled={status !== 'connected'}
        onClick={() => pushView(app, { name: 'Swap' })}
      >
        <Icon name="swap" />
        {t('account.swap')}
      </button>
    ) : (
      app.config.features.swaps && kept
    ),
    receive: capabilities.receive && (
      <button
        type="button"
        className={styles.action}
        onClick={() => pushView(app, { name: 'Receive' })}
      >
        <Icon name="receive" />
        {t('account.receive')}
      </button>
    ),
    send: capabilities.send && (
      <button
        type="button"
        className={styles.action}
        disabled={status !== 'connected'}
        onClick={() => pushView(app, { name: 'Send' })}
      >
        <Icon name="send" />
        {t('account.send')}
      </button>
    ),
  }
  return (
    <div className={styles.actions}>
      {[...order].map((feature) => (
        <Fragment key={feature}>{features[feature]}</Fragment>
      ))}
      {explorer && (
        <a className={styles.action} href={explorer} target="_blank" rel="noreferrer noopener">
          <Icon name="external" />
          {t('account.explorer')}
        </a>
      )}
    </div>
  )
}
