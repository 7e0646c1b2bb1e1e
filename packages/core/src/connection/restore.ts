import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { hasLogin } from '../embedded/login/hasLogin.ts'
import {
  activeNetwork,
  type Connected,
  disconnectedState,
  listConnections,
  type State,
} from '../state.ts'
import type { SavedConnection } from '../storageSchema.ts'
import { chainFields, connected, maySelect } from './buildConnection.ts'

/**
 * Restores saved state, so that a page shows it before the wallet has responded. A saved connection
 * is restored with its accounts and the status `reconnecting`. The store's initial state stays
 * equal to what a server would have rendered.
 */
export function restore(app: App): void {
  const { storage, store } = app
  const recentWallets = storage.get('recentWallets')
  if (recentWallets) store.setState({ recentWallets })
  const contacts = storage.get('contacts')
  if (contacts) store.setState({ contacts })
  selectSaved(app, storage.get('activeChainId'))
  // What this browser has saved is newer than the cookie.
  if (app.config.initialState && (app.environment.page || app.environment.area))
    store.setState({ connections: disconnectedState })
  if (!app.config.wallets.reconnect) return
  const active = activeNetwork(store.getState()).chainNamespace
  const { [active]: first, ...others } = storage.get('connections') ?? {}
  const isLeft = ({ connectorId }: SavedConnection) =>
    storage.get('disconnected')?.includes(connectorId)
  const email = storage.get('email')
  const user = {
    ...storage.get('social'),
    ...(email && { email }),
    ...(storage.get('lacksRecovery') && { isRecoverable: false }),
  }
  // The selected network's namespace comes first, because its chain becomes the selected chain.
  for (const [namespace, saved] of Object.entries({
    ...(first && { [active]: first }),
    ...others,
  })) {
    if (isLeft(saved)) continue
    const connection = toConnection(saved)
    store.setState((state) => ({
      connections: { ...state.connections, [namespace as Namespace]: connection },
      ...(maySelect(state, namespace as Namespace) && restoredChain(state, connection)),
      ...(hasLogin(app, saved.connectorId) && { user }),
    }))
  }
  for (const saved of storage.get('furtherConnections') ?? []) {
    const connection = toConnection(saved)
    const isListed = listConnections(store.getState()).some(
      ({ connectorId, account }) =>
        connectorId === saved.connectorId && account.namespace === connection.account.namespace,
    )
    if (isLeft(saved) || isListed) continue
    store.setState(({ furtherConnections }) => ({
      furtherConnections: [...furtherConnections, connection],
      ...(hasLogin(app, saved.connectorId) && { user }),
    }))
  }
}

/** The connections of saved connections, as long as their wallets have not confirmed them. */
export const toConnections = (
  saved: Partial<Record<Namespace, SavedConnection>>,
): State['connections'] => ({
  ...disconnectedState,
  ...Object.fromEntries(
    Object.entries(saved).map(([namespace, one]) => [namespace, toConnection(one)]),
  ),
})

/** A saved connection, as long as its wallet has not confirmed it. */
export const toConnection = (result: SavedConnection): Connected =>
  connected({ status: 'reconnecting', connectorId: result.connectorId, result })

// A saved unsupported network is shown only after the wallet confirms it, because the wallet may
// have switched since.
const restoredChain = (state: State, connection: Parameters<typeof chainFields>[1]) => ({
  ...chainFields(state, connection),
  unsupportedChainId: undefined,
})

/** Selects a saved network, if it is still in the app's configuration. */
export function selectSaved(app: App, chainId: ChainId | undefined): void {
  const { networks } = app.store.getState()
  if (chainId && networks.some((network) => network.caipNetworkId === chainId))
    app.store.setState({ activeChainId: chainId })
}
