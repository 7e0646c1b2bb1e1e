import type { Namespace } from '@latchkey/wire'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enConnecting } from '../../locales/enConnecting.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './RemoteHint.module.css'
import { useRemoteWallet } from './useRemoteWallet.ts'

const loadConfirmations = async () => (await import('./ConfirmationsHint.tsx')).ConfirmationsHint

/**
 * Tells the user where to respond to a request that waits in a wallet on another device; empty for
 * a wallet of this browser. Default: the active account's wallet.
 */
export function RemoteHint({ namespace }: { namespace?: Namespace }) {
  const t = useT(enConnecting)
  const remote = useRemoteWallet({ namespace })
  const { connector } = useAccount({ namespace })
  const isShared = connector?.traits?.collectsConfirmations === true
  const Confirmations = useLazyImport(loadConfirmations, isShared).value
  if (isShared)
    return (
      <div className={styles.hint} role="status">
        {Confirmations && <Confirmations namespace={namespace} />}
      </div>
    )
  if (connector?.traits?.isDevice)
    return (
      <div className={styles.hint} role="status">
        <span>{t('remote.device', { name: connector.name })}</span>
      </div>
    )
  if (!remote) return null
  const { name, isHere, open } = remote
  return (
    <div className={styles.hint} role="status">
      <span>{t(isHere ? 'remote.hintHere' : 'remote.hint', { name })}</span>
      {open && (
        <Button variant="quiet" onClick={open}>
          {t('remote.open', { name })}
        </Button>
      )}
    </div>
  )
}
