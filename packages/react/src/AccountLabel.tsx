import { formatQuantity, truncateAddress } from '@latchkey/core'
import { useNativeBalance } from './hooks/useNativeBalance.ts'
import { useNetwork } from './hooks/useNetwork.ts'
import styles from './PageButton.module.css'
import { Avatar } from './parts/Avatar.tsx'

/** Who is connected, with the native balance: inside of the page's button, loaded once there is an account. */
export function AccountLabel({ address, prefix }: { address: string; prefix: string }) {
  const { nativeCurrency } = useNetwork().network
  const balance = useNativeBalance()
  return (
    <>
      <Avatar address={address} />
      <span className={styles.hidden}>{prefix} </span>
      <span className={styles.address}>{truncateAddress(address)}</span>
      {balance !== undefined && (
        <span className={styles.balance}>
          {' '}
          {formatQuantity(balance)} {nativeCurrency.symbol}
        </span>
      )}
    </>
  )
}
