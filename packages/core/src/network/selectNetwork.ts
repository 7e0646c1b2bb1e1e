import type { ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { emptyDrafts } from '../state.ts'

/**
 * Makes a network the selected one, also at the next visit. No wallet is asked: it is on the
 * network already, or none is connected.
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
