import { type Balance, type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { answerInTime } from '../connection/connectors/answerInTime.ts'
import { isSameAddress } from '../namespaces/namespaceFacts.ts'
import { tokenImageUrl } from '../server/imageUrl.ts'
import { type Connected, isConnected } from '../state.ts'

/** Milliseconds that a wallet has for its list; the server's takes its place afterwards. */
const maxWaitMs = 3_000

/**
 * Connections whose wallet keeps no list or failed to give it. They are not asked again until they
 * change.
 */
const silent = new WeakSet<Connected>()

/**
 * What the connected wallet itself lists for its account on its network; undefined for any other
 * account and network, and where the wallet keeps no list, does not answer in 3 s, or answers what
 * is no list.
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
  // The wallet that people log in to has the server's list and no other.
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
    const found = await answerInTime(read, app.environment.sleep, maxWaitMs)
    if (!found) silent.add(connection)
    return found
  } catch {
    silent.add(connection)
    return undefined
  }
}
