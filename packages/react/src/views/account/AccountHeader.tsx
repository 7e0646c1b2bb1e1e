import {
  formatDollars,
  formatQuantity,
  networkImageUrl,
  pushView,
  truncateAddress,
} from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useCopyAddress } from '../../app/useCopyAddress.ts'
import { useCount } from '../../app/useCount.ts'
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
import views from '../view.module.css'
import styles from './Account.module.css'

/** The account's picture, name, network and wallet, in two lines. */
export function AccountHeader({ address }: { address: string }) {
  const app = useApp()
  const t = useT(enActivity)
  const { network, networks } = useNetwork()
  const { wallet, isUnreached } = useAccount()
  const { accountSettings } = useAppCapabilities()
  const { copied, copyAddress } = useCopyAddress()
  const profile = useProfile()
  const { name } = network
  return (
    <div className={styles.who}>
      <div className={styles.head}>
        <ProfilePicture address={address} imageUrl={profile.imageUrl} size={48} />
        <div className={styles.lines}>
          <button
            type="button"
            className={styles.chip}
            title={[profile.name, address].join(' ').trim()}
            aria-label={[t('action.copyAddress'), truncateAddress(address), profile.name]
              .join(' ')
              .trim()}
            onClick={() => copyAddress(address)}
          >
            <bdi className={styles.name} translate="no">
              {profile.name ?? truncateAddress(address)}
            </bdi>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </button>
          <div className={styles.second}>
            <button
              type="button"
              className={styles.chip}
              disabled={networks.length < 2 || !app.config.modal.networkSwitch}
              aria-label={t('account.switchNetwork', { name })}
              onClick={() => pushView(app, { name: 'Networks' })}
            >
              <Picture src={networkImageUrl(app, network)} name={name} size={20} round />
              <span className={styles.cut}>{name}</span>
              <Icon name="down" size={16} />
            </button>
            {wallet && !accountSettings && (
              <p className={styles.wallet} title={t('account.wallet', { name: wallet.name })}>
                <span className={views.hidden}>{t('account.wallet', { name: wallet.name })}</span>
                <Picture src={wallet.iconUrl} name={wallet.name} size={20} />
                <span className={styles.cut} aria-hidden="true">
                  {wallet.name}
                </span>
              </p>
            )}
          </div>
        </div>
      </div>
      {isUnreached && (
        <p className={styles.partly} role="status">
          {t('account.unreached')}
        </p>
      )}
      <span className={views.hidden} role="status">
        {copied && t('action.copied')}
      </span>
    </div>
  )
}

/** The balance of the native currency, and the total in dollars if prices are known. */
export function TotalBalance({ address }: { address: string }) {
  const t = useT(enActivity)
  const { network } = useNetwork()
  const { native, totalValue, unpriced, isLoading, error, isAvailable } = useBalances()
  if (!isAvailable) return null
  const { caipNetworkId, nativeCurrency } = network
  const { symbol } = nativeCurrency
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
        {totalValue !== undefined && (
          <Total key={`${caipNetworkId} ${address}`} value={totalValue} />
        )}
      </p>
      {totalValue !== undefined && unpriced > 0 && (
        <p className={styles.partly}>{t('tokens.partly', { count: unpriced })}</p>
      )}
    </div>
  )
}

/** The total in dollars, which counts up or down when it changes. */
function Total({ value }: { value: number }) {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  return t('account.total', { value: formatDollars(useCount(value), locale) })
}
