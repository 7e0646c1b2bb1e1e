import { forceCloseModal, showToast } from '@latchkey/core'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useDisconnect } from '../../hooks/useDisconnect.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'

/** Disconnects the wallet. The page disconnects even if the wallet could not be notified. */
export function Disconnect() {
  const app = useApp()
  const t = useT()
  const { account } = useAccount()
  const { disconnect, status } = useDisconnect()
  const leave = async () => {
    try {
      await disconnect(account && { namespace: account.namespace })
    } catch {
      showToast(app, { message: t('account.disconnectFailed'), variant: 'error' })
    }
    forceCloseModal(app)
  }
  return (
    <Button look="danger" icon="disconnect" busy={status === 'pending'} onClick={leave}>
      {t(status === 'pending' ? 'action.disconnecting' : 'action.disconnect')}
    </Button>
  )
}
