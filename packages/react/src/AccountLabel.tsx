import { formatQuantity, truncateAddress } from '@latchkey/core'
import { useNativeBalance } from './hooks/useNativeBalance.ts'
import { useNetwork } from './hooks/useNetwork.ts'
import { useProfile } from './hooks/useProfile.ts'
import styles from './PageButton.module.css'
import { ProfilePicture } from './parts/ProfilePicture.tsx'

/**
 * Shows the connected account in the page's button: name and picture if there are any, and the native balance.
 * Loaded once there is an account.
 */
export function AccountLabel({ address, prefix }: { address: string; prefix: string }) {
  const { nativeCurrency } = useNetwork().network
  const balance = useNativeBalance()
  const { name, imageUrl } = useProfile()
  return (
    <>
      <ProfilePicture address={address} imageUrl={imageUrl} />
      <span className={styles.hidden}>
        {prefix} {name !== undefined && `${truncateAddress(address)} `}
      </span>
      {name === undefined ? (
        <span className={styles.address}>{truncateAddress(address)}</span>
      ) : (
        <bdi className={styles.profile}>{name}</bdi>
      )}
      {balance !== undefined && (
        <span className={styles.balance}>
          {' '}
          {formatQuantity(balance)} {nativeCurrency.symbol}
        </span>
      )}
    </>
  )
}
