import { LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Actions, Request } from '../namespaces/actions.ts'
import type { Network } from '../networks.ts'
import { activeConnection, activeNetwork, type Connected, isConnected } from '../state.ts'

export type Wallet = {
  connection: Connected
  network: Network
  actions: Actions
  /** A request to the connected wallet. */
  request: Request
  /** Throws CONNECTION_CHANGED when wallet, account or network are not what they were. */
  assertSame: () => void
}

/** The wallet of the selected network and what is needed to ask it. Throws NOT_CONNECTED, UNSUPPORTED_CHAIN. */
export async function getActiveWallet(app: App): Promise<Wallet> {
  const state = app.store.getState()
  const connection = activeConnection(state)
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  const connector = app.connectors.get(connection.connectorId)
  if (!connector) throw new LatchkeyError('NOT_CONNECTED')
  const network = activeNetwork(state)
  if (connection.chainId !== network.caipNetworkId) throw new LatchkeyError('UNSUPPORTED_CHAIN')
  const actions = await app.loadActions(network.chainNamespace)
  return {
    connection,
    network,
    actions,
    request: (method, params) => connector.request(connection.chainId, method, params),
    assertSame() {
      const now = activeConnection(app.store.getState())
      const isSame =
        isConnected(now) &&
        now.caipAddress === connection.caipAddress &&
        now.connectorId === connection.connectorId
      if (!isSame) throw new LatchkeyError('CONNECTION_CHANGED')
    },
  }
}
