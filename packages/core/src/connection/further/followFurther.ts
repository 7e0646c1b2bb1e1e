import { parseChainId } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { toConnection } from '../restore.ts'
import { confirmFurther } from './confirmFurther.ts'
import { findConnection, getWalletNamespace, isSavedFurther } from './furtherConnections.ts'

/**
 * Updates the connections that are not in use to those that another tab has saved, without a prompt
 * and without saving them again.
 */
export async function followFurther(app: App): Promise<void> {
  const { storage, store } = app
  const state = store.getState()
  const inUse = storage.get('connections') ?? {}
  const kept = state.furtherConnections.filter((one) => {
    const place = getWalletNamespace(one)
    // The other tab may have put it in use, which this tab is about to follow.
    return isSavedFurther(app, place) || inUse[place.namespace]?.connectorId === place.connectorId
  })
  const added = (storage.get('furtherConnections') ?? []).filter(
    ({ connectorId, chainId }) =>
      !findConnection(state, { connectorId, namespace: parseChainId(chainId).namespace }),
  )
  if (added.length === 0 && kept.length === state.furtherConnections.length) return
  store.setState({ furtherConnections: [...added.map(toConnection), ...kept] })
  await confirmFurther(app)
}
