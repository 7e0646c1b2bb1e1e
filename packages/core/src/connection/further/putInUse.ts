import type { Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { type Connected, isConnected } from '../../state.ts'
import { beginAttempt } from '../connectionAttempt.ts'
import { setConnection } from '../setConnection.ts'
import { getWalletNamespace, isSavedFurther, type WalletNamespace } from './furtherConnections.ts'

/**
 * Puts a connected wallet in use. The wallet that was in use stays connected. Sends no request to a
 * wallet.
 */
export function putInUse(
  app: App,
  { connection, isSelected }: { connection: Connected; isSelected: boolean },
): void {
  const { connectorId, account, accounts, chainId, wallet } = connection
  const former = findFormer(app, getWalletNamespace(connection))
  beginAttempt(app, account.namespace)
  setConnection(app, {
    connectorId,
    result: { accounts, chainId, ...(wallet && { wallet }) },
    isSelected,
    former,
  })
}

/**
 * The wallet that is in use in a namespace and stays connected if another takes its place. With
 * `onlySaved`, only if another tab has kept it.
 */
export function findFormer(
  app: App,
  place: WalletNamespace,
  { onlySaved = false } = {},
): Connected | undefined {
  const former = findUsed(app, place.namespace)
  if (!former || former.connectorId === place.connectorId) return undefined
  // A stand-in for a wallet that has announced itself since.
  if (app.connectors.get(former.connectorId)?.info.traits?.isFallback) return undefined
  return onlySaved && !isSavedFurther(app, getWalletNamespace(former)) ? undefined : former
}

/**
 * The connection in use, also while another wallet is being connected. The app has not listened to
 * the wallet meanwhile, so it has to confirm its accounts.
 */
function findUsed({ store, runtime }: App, namespace: Namespace): Connected | undefined {
  const connection = store.getState().connections[namespace]
  if (isConnected(connection)) return connection
  const before = connection.status === 'connecting' ? runtime.before[namespace] : undefined
  return before && { ...before, status: 'reconnecting' }
}
