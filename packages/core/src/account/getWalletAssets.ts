import { type Balance, type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { withTimeout } from '../connection/connectors/withTimeout.ts'
import { isSameAddress } from '../namespaces/namespaceMetadata.ts'
import { tokenImageUrl } from '../server/imageUrl.ts'
import { type Connected, isConnected } from '../state.ts'

/** How long a wallet has to return its list. After that the server's list is used. */
const maxWaitMs = 3_000

/**
 * Connections whose wallet keeps no list or failed to return it. They get no further request until
 * they change.
 */
const silent = new WeakSet<Connected>()

/**
 * The connected wallet's own asset list for its account on its network. Undefined for any other
 * account or network, and if the wallet keeps no list, does not respond within 3 s, or returns
 * something that is not a list.
 */
export async function getWalletAssets(
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
): Promise<readonly Balance[] | undefined> {
  const { namespace } = parseChainId(chainId)
  const { connections, networks } = app.store.getState()
  const connection = connections[namespace]
  if (!isConnected(connection) || connection.chainId !== chainId || silent.has(connection))
    return undefined
  const isOwn = isSameAddress({ namespace, one: connection.account.address, other: address })
  const connector = app.connectors.get(connection.connectorId)
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  // The embedded wallet uses only the server's list.
  if (!isOwn || !network || !connector || connector.info.traits?.hasLogin) return undefined
  try {
    const read = async () => {
      const { loadAssets } = await app.loadActions(namespace)
      return (await loadAssets?.())?.read({
        wallet: (method, params) => connector.request(chainId, method, params),
        address,
        network,
        getImageUrl: (token) => tokenImageUrl(app, token),
        approvedMethods: connector.approvedMethods?.(chainId),
      })
    }
    const found = await withTimeout(read, app.environment.sleep, maxWaitMs)
    if (!found) silent.add(connection)
    return found
  } catch {
    silent.add(connection)
    return undefined
  }
}
