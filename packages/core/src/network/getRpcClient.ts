import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Actions } from '../namespaces/actions.ts'
import { loadActions, namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import type { Request } from '../namespaces/request.ts'
import type { Network } from '../networks.ts'
import { getNodeUrl, getReadUrl } from './rpcUrls.ts'

/**
 * The client for a network's node. Each network has a single client, so that simultaneous reads
 * share a request. Throws NO_RPC_URL.
 */
export function getRpcClient(app: App, chainId: ChainId): Request {
  const known = app.runtime.nodes.get(chainId)
  if (known) return known
  const network = app.store
    .getState()
    .networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (!network) throw new LatchkeyError('NO_RPC_URL', { data: { id: chainId } })
  const client = createClient(app, network)
  // A chunk that could not be fetched is fetched again at the next use.
  client.catch(() => app.runtime.nodes.delete(chainId))
  const node: Request = async (method, params) => (await client)(method, params)
  app.runtime.nodes.set(chainId, node)
  return node
}

async function createClient(app: App, network: Network): Promise<Request> {
  const { chainNamespace, name: chain } = network
  const { fetch, now, sleep } = app.environment
  const settings = { chain, fetch, now, sleep, signal: app.signal }
  const ownUrl = await getOwnRpcUrl(app, network)
  const isRest = namespaceMetadata[chainNamespace].node === 'rest'
  const actions = ownUrl !== undefined || isRest ? await loadActions(chainNamespace) : undefined
  const connect = async () => {
    const { node } = actions ?? {}
    const url = ownUrl ?? getNodeUrl(app, network, node?.path)
    if (node) return node.createClient({ ...settings, url })
    const { createRpcClient } = await import('./createRpcClient.ts')
    return createRpcClient({ ...settings, url })
  }
  const node = await connect()
  const { isNodeOf } = actions ?? {}
  return isNodeOf && ownUrl !== undefined ? verifyFirst({ node, network, isNodeOf }) : node
}

/**
 * The app's URL of a network's node; undefined if reads go to our server. The network's endpoint is
 * used only if the server has answered that it has no node for it. After another answer, the next
 * read asks again.
 */
async function getOwnRpcUrl(app: App, network: Network): Promise<string | undefined> {
  const { caipNetworkId: chainId } = network
  const own = app.config.rpcUrls?.[chainId]
  const readUrl = getReadUrl(network)
  if (own || !readUrl) return own || undefined
  const { getAreas } = await import('../server/getAreas.ts')
  try {
    const areas = await getAreas(app)
    return Object.keys(areas(chainId)).length > 0 ? undefined : readUrl
  } catch {
    // A server that is busy for a moment is no reason to show an address to others.
    app.runtime.nodes.delete(chainId)
    return undefined
  }
}

/**
 * Wraps the app's own node and verifies its chain id before the first use; our server verifies its
 * own nodes. Throws RPC_CHAIN_WRONG, and verifies again at the next request.
 */
function verifyFirst({
  node,
  network,
  isNodeOf,
}: {
  node: Request
  network: Network
  isNodeOf: Actions['isNodeOf']
}): Request {
  let verified: Promise<void> | undefined
  const verify = async () => {
    if (!(await isNodeOf({ node, network })))
      throw new LatchkeyError('RPC_CHAIN_WRONG', { data: { chain: network.name } })
  }
  return async (method, params) => {
    verified ??= verify().catch((error) => {
      verified = undefined
      throw error
    })
    await verified
    return node(method, params)
  }
}
