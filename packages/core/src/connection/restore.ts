import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { hasLogin } from '../embedded/login/hasLogin.ts'
import { activeNetwork, type State } from '../state.ts'
import { chainFields, connected, maySelect } from './buildConnection.ts'

/**
 * Puts what was saved into the state, so that a page shows it before the wallet has answered. A
 * saved connection comes back as `reconnecting`, with its accounts. The store's initial state stays
 * what a server would have rendered.
 */
export function restore(app: App): void {
  const { storage, store } = app
  const recentWallets = storage.get('recentWallets')
  if (recentWallets) store.setState({ recentWallets })
  selectSaved(app, storage.get('activeChainId'))
  if (app.config.enableReconnect === false) return
  const active = activeNetwork(store.getState()).chainNamespace
  const { [active]: first, ...others } = storage.get('connections') ?? {}
  // The selected network's own first: its chain is the one that is selected.
  for (const [namespace, saved] of Object.entries({
    ...(first && { [active]: first }),
    ...others,
  })) {
    const { connectorId } = saved
    if (storage.get('disconnected')?.includes(connectorId)) continue
    const connection = connected({ status: 'reconnecting', connectorId, result: saved })
    const email = storage.get('email')
    const user = { ...storage.get('social'), ...(email && { email }) }
    store.setState((state) => ({
      connections: { ...state.connections, [namespace as Namespace]: connection },
      ...(maySelect(state, namespace as Namespace) && restoredChain(state, connection)),
      ...(hasLogin(app, connectorId) && { user }),
    }))
  }
}

// A saved unsupported network is not shown before the wallet confirms it: the wallet may be on
// another one by now.
const restoredChain = (state: State, connection: Parameters<typeof chainFields>[1]) => ({
  ...chainFields(state, connection),
  unsupportedChainId: undefined,
})

/** Selects a saved network, where the app still asks for it. */
export function selectSaved(app: App, chainId: ChainId | undefined): void {
  const { networks } = app.store.getState()
  if (chainId && networks.some((network) => network.caipNetworkId === chainId))
    app.store.setState({ activeChainId: chainId })
}
