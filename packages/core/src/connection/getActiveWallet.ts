import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { LoadedActions } from '../namespaces/actions.ts'
import type { Request } from '../namespaces/request.ts'
import type { Network } from '../networks.ts'
import { activeNetwork, type Connected, isConnected } from '../state.ts'
import type { Reviewed } from './requests/reviewed.ts'
import { waitForWallet } from './waitForWallet.ts'

export type ActiveWallet = {
  connection: Connected
  network: Network
  actions: LoadedActions
  /** A request to the connected wallet. */
  request: Request
  /**
   * The methods that the wallet has approved; undefined if they are not limited or not known yet.
   */
  approvedMethods: readonly string[] | undefined
  /** Throws CONNECTION_CHANGED if wallet, account or network have changed. */
  assertSame: () => void
}

/**
 * The wallet of a namespace (default: the active namespace), and everything needed to send it
 * requests. Throws NOT_CONNECTED, UNSUPPORTED_CHAIN.
 */
export async function getActiveWallet(
  app: App,
  {
    namespace,
    review,
  }: {
    namespace?: Namespace | undefined
    review?: Reviewed | undefined
  } = {},
): Promise<ActiveWallet> {
  const wantedNamespace = namespace ?? activeNetwork(app.store.getState()).chainNamespace
  const search = waitForWallet(app, wantedNamespace)
  if (search) await search
  const state = app.store.getState()
  const connection = state.connections[wantedNamespace]
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  const connector = app.connectors.get(connection.connectorId)
  if (!connector) throw new LatchkeyError('NOT_CONNECTED')
  const selected = activeNetwork(state)
  const network =
    selected.chainNamespace === wantedNamespace
      ? selected
      : state.networks.find(({ caipNetworkId }) => caipNetworkId === connection.chainId)
  if (connection.chainId !== network?.caipNetworkId) throw new LatchkeyError('UNSUPPORTED_CHAIN')
  const actions = await app.loadActions(network.chainNamespace)
  return {
    connection,
    network,
    actions,
    request: (method, params) => connector.request(connection.chainId, method, params, review),
    approvedMethods: connector.approvedMethods?.(connection.chainId),
    assertSame() {
      const now = app.store.getState().connections[wantedNamespace]
      const isSame =
        isConnected(now) &&
        now.caipAddress === connection.caipAddress &&
        now.connectorId === connection.connectorId
      if (!isSame) throw new LatchkeyError('CONNECTION_CHANGED')
    },
  }
}
