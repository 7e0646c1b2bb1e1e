import type { ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { emptyDrafts } from '../state.ts'

/**
 * Selects a network, also for the next visit. Sends no request to a wallet: it is on the network
 * already, or no wallet is connected.
 */
export function selectNetwork(app: App, chainId: ChainId): void {
  const isSame = app.store.getState().activeChainId === chainId
  app.store.setState({
    activeChainId: chainId,
    unsupportedChainId: undefined,
    ...(!isSame && emptyDrafts),
  })
  app.storage.set('activeChainId', chainId)
}
