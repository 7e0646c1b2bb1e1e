import { formatQuantity, openModal, truncateAddress } from '@latchkey/core'
import { useLatchkey } from './context.ts'
import { useAccount } from './hooks/useAccount.ts'
import { useButtonT } from './hooks/useButtonT.ts'
import { useNativeBalance } from './hooks/useNativeBalance.ts'
import { useNetwork } from './hooks/useNetwork.ts'
import { useThemeRoot } from './hooks/useThemeRoot.ts'
import styles from './PageButton.module.css'
import { Avatar } from './parts/Avatar.tsx'

/** Opens the modal: "Connect wallet", or the account with its balance once connected. */
export function ConnectButton({ label }: { label?: string }) {
  const { app, modalStatus, prefetch } = useLatchkey()
  const t = useButtonT()
  const { ref, ...theme } = useThemeRoot()
  const { address, status } = useAccount()
  const { network } = useNetwork()
  const balance = useNativeBalance()
  const loading = modalStatus === 'loading' && app.store.getState().modal.open
  const text =
    modalStatus === 'failed'
      ? t('button.failed')
      : status === 'connecting'
        ? t('button.connecting')
        : (label ?? t('button.connect'))
  return (
    <span {...theme} ref={ref} className={styles.root}>
      <button
        type="button"
        className={styles.button}
        data-look={address === undefined ? 'main' : 'quiet'}
        aria-haspopup="dialog"
        aria-busy={loading || undefined}
        aria-label={address && t('button.account', { address: truncateAddress(address) })}
        title={address}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => openModal(app)}
      >
        {address === undefined ? (
          <span>{text}</span>
        ) : (
          <>
            {balance !== undefined && (
              <span className={styles.balance}>
                {formatQuantity(balance)} {network.nativeCurrency.symbol}
              </span>
            )}
            <Avatar address={address} />
            <span className={styles.address}>{truncateAddress(address)}</span>
          </>
        )}
      </button>
    </span>
  )
}
