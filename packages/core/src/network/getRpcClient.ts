import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Request } from '../namespaces/actions.ts'
import { getNodeUrl } from './rpcUrls.ts'

/** The client of a network's node. Each network has one, so that reads of one moment share a request. Throws NO_RPC_URL. */
export function getRpcClient(app: App, chainId: ChainId): Request {
  const known = app.work.nodes.get(chainId)
  if (known) return known
  const network = app.store
    .getState()
    .networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (!network) throw new LatchkeyError('NO_RPC_URL', { data: { id: chainId } })
  const { fetch, now, sleep } = app.environment
  const { signal } = app
  const url = getNodeUrl(app, network)
  const settings = { url, chain: network.name, fetch, now, sleep, signal }
  const client = import('./createRpcClient.ts').then(({ createRpcClient }) =>
    createRpcClient(settings),
  )
  // A chunk that could not be fetched is fetched again at the next use.
  client.catch(() => app.work.nodes.delete(chainId))
  const node: Request = async (method, params) => (await client)(method, params)
  app.work.nodes.set(chainId, node)
  return node
}
