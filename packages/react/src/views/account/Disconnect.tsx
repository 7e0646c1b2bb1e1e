import { isConnected, showToast } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useDisconnect } from '../../hooks/useDisconnect.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'

/**
 * Disconnects the wallet of the active namespace, or every wallet if there are several. The page
 * disconnects and closes the modal at once, even if the wallet cannot be notified.
 */
export function Disconnect() {
  const app = useApp()
  const t = useT(enActivity)
  const { account } = useAccount()
  const { disconnectAsync, isPending } = useDisconnect()
  const wallets = useAppState(
    ({ connections }) =>
      new Set(
        Object.values(connections).flatMap((each) => (isConnected(each) ? each.connectorId : [])),
      ).size,
  )
  const [isAll, setIsAll] = useState(false)
  const leave = async (all: boolean) => {
    setIsAll(all)
    try {
      await disconnectAsync(account && !all ? { namespace: account.namespace } : undefined)
    } catch {
      showToast(app, { message: t('account.disconnectFailed'), variant: 'error' })
    }
  }
  return (
    <>
      <Button
        variant="danger"
        icon="disconnect"
        busy={isPending && !isAll}
        onClick={() => leave(false)}
      >
        {t(isPending && !isAll ? 'action.disconnecting' : 'action.disconnect')}
      </Button>
      {wallets > 1 && (
        <Button
          variant="text"
          icon="disconnect"
          busy={isPending && isAll}
          onClick={() => leave(true)}
        >
          {t('action.disconnectAll')}
        </Button>
      )}
    </>
  )
}
