import { activeConnection, isConnected, listConnections, showToast } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useDisconnect } from '../../hooks/useDisconnect.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'

/**
 * Disconnects the wallet in use, or every wallet if there are several. The page disconnects and
 * closes the modal at once, even if the wallet cannot be notified.
 */
export function Disconnect() {
  const app = useApp()
  const t = useT(enActivity)
  const connectorId = useAppState((state) => {
    const connection = activeConnection(state)
    return isConnected(connection) ? connection.connectorId : undefined
  })
  const { disconnectAsync, isPending } = useDisconnect()
  const wallets = useAppState(
    (state) => new Set(listConnections(state).map((each) => each.connectorId)).size,
  )
  const [isAll, setIsAll] = useState(false)
  const leave = async (all: boolean) => {
    setIsAll(all)
    try {
      await disconnectAsync(connectorId && !all ? { connectorId } : undefined)
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
