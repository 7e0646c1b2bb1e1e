import { openModal } from '@latchkey/core'
import { truncateAddress } from '@latchkey/core/internal'
import { useLatchkey } from './app/context.ts'
import { useLazyImport } from './app/useLazyImport.ts'
import { useThemeRoot } from './app/useThemeRoot.ts'
import { ConnectButtonCustom } from './ConnectButtonCustom.tsx'
import { useAccount } from './hooks/useAccount.ts'
import { useButtonT } from './locales/useButtonT.ts'
import styles from './PageButton.module.css'

const loadLabel = () => import('./AccountLabel.tsx').then((file) => file.AccountLabel)

/** Opens the modal: "Connect wallet", or the account with its balance once connected. */
export function ConnectButton({ label }: { label?: string }) {
  const { app, modalStatus, prefetch } = useLatchkey()
  const t = useButtonT()
  const { ref, ...theme } = useThemeRoot()
  const { address, status } = useAccount()
  const AccountLabel = useLazyImport(loadLabel, address !== undefined).value
  const loading = modalStatus === 'loading' && app.store.getState().modal.open
  const failed = modalStatus === 'failed'
  const shownAddress = failed ? undefined : address
  const text = failed
    ? t('button.failed')
    : status === 'connecting'
      ? t('button.connecting')
      : (label ?? t('button.connect'))
  return (
    <span {...theme} ref={ref} className={styles.root}>
      <button
        type="button"
        className={styles.button}
        data-account-button=""
        data-look={address === undefined ? 'main' : 'quiet'}
        aria-haspopup="dialog"
        aria-busy={loading || undefined}
        title={address}
        aria-label={
          shownAddress !== undefined && !AccountLabel
            ? `${t('button.account')} ${truncateAddress(shownAddress)}`
            : undefined
        }
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => openModal(app)}
      >
        {shownAddress === undefined && <span>{text}</span>}
        {shownAddress !== undefined &&
          (AccountLabel ? (
            <AccountLabel address={shownAddress} prefix={t('button.account')} />
          ) : (
            <span className={styles.firstLabel} translate="no">
              {truncateAddress(shownAddress)}
            </span>
          ))}
      </button>
    </span>
  )
}

/** A custom button: a function from the connection's state to the rendered content. */
ConnectButton.Custom = ConnectButtonCustom
