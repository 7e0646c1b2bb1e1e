import { formatQuantity, truncateAddress } from '@latchkey/core/internal'
import styles from './AccountLabel.module.css'
import { useApp } from './app/useApp.ts'
import { useLazyImport } from './app/useLazyImport.ts'
import { useNativeBalance } from './hooks/useNativeBalance.ts'
import { useNetwork } from './hooks/useNetwork.ts'
import { useProfile } from './hooks/useProfile.ts'
import { ProfilePicture } from './parts/ProfilePicture.tsx'

const loadOrders = () => import('./views/buy/FollowOrders.tsx').then((file) => file.FollowOrders)

/**
 * Shows the connected account in the page's button: name and picture if available, and the native
 * balance. Loaded once there is an account.
 */
export function AccountLabel({ address, prefix }: { address: string; prefix: string }) {
  const { nativeCurrency } = useNetwork().network
  // Pending purchases are followed also after a reload, in any view.
  const hasOrders = useApp().storage.get('onrampOrders') !== undefined
  const FollowOrders = useLazyImport(loadOrders, hasOrders).value
  const balance = useNativeBalance()
  const { name, imageUrl } = useProfile()
  return (
    <>
      {FollowOrders && <FollowOrders />}
      <ProfilePicture address={address} imageUrl={imageUrl} />
      <span className={styles.hidden}>
        <span>{prefix}</span>{' '}
        {name !== undefined && <span translate="no">{`${truncateAddress(address)} `}</span>}
      </span>
      {name === undefined ? (
        <span className={styles.address} translate="no">
          {truncateAddress(address)}
        </span>
      ) : (
        <bdi className={styles.profile} translate="no">
          {name}
        </bdi>
      )}
      {balance !== undefined && (
        <span className={styles.balance} translate="no">
          {` ${formatQuantity(balance)} ${nativeCurrency.symbol}`}
        </span>
      )}
    </>
  )
}
