import { formatQuantity, networkImageUrl, pushView, truncateAddress } from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useProfile } from '../../hooks/useProfile.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import { formatDollars } from '../formatDollars.ts'
import styles from './Account.module.css'

/** The account's identity and network, and a link to its settings. */
export function AccountHeader({ address }: { address: string }) {
  const app = useApp()
  const t = useT(enActivity)
  const { network, networks } = useNetwork()
  const { wallet, isUnreached } = useAccount()
  const { accountSettings } = useAppCapabilities()
  const user = useAppState((state) => state.user)
  const userName = user?.email ?? user?.username
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
            <span className={styles.address} translate="no">
              {truncateAddress(address)}
            </span>
          ) : (
            <bdi className={styles.profile} translate="no">
              {profile.name}
            </bdi>
          )}
          <Icon name={copied ? 'check' : 'copy'} size={16} />
        </button>
        <button
          type="button"
          className={styles.chip}
          disabled={networks.length < 2 || !app.config.modal.networkSwitch}
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
          aria-label={t('settings.open', { email: userName ?? '' })}
          onClick={() => pushView(app, { name: 'AccountSettings' })}
        >
          <Icon name="sliders" size={16} />
          <bdi translate="no" className={styles.networkName}>
            {userName ?? t('settings.title')}
          </bdi>
        </button>
      )}
      {wallet && !accountSettings && (
        <p className={styles.wallet}>
          <Picture src={wallet.iconUrl} name={wallet.name} size={20} />
          <span>{t('account.wallet', { name: wallet.name })}</span>
        </p>
      )}
      {isUnreached && (
        <p className={styles.partly} role="status">
          {t('account.unreached')}
        </p>
      )}
      <span className={styles.hidden} role="status">
        {copied && t('action.copied')}
      </span>
    </div>
  )
}

/** The balance of the native currency, and the total in dollars if prices are known. */
export function TotalBalance() {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const { network } = useNetwork()
  const { native, totalValue, unpriced, isLoading, error, isAvailable } = useBalances()
  if (!isAvailable) return null
  const { symbol } = network.nativeCurrency
  return (
    <div className={styles.howMuch} aria-busy={isLoading || undefined}>
      <p className={styles.amount} translate="no">
        {isLoading ? (
          <SkeletonLine wide />
        ) : native === undefined && error !== null ? (
          <span className={styles.failed}>{t('account.balanceFailed')}</span>
        ) : (
          <>
            <span translate="no">{formatQuantity(native?.quantity.numeric)}</span>{' '}
            <small translate="no">{symbol}</small>
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
