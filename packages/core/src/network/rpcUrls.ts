import type { ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Network } from '../networks.ts'

/** The endpoint of a network to which reads may go if our server has no node for the network. */
export const getReadUrl = ({ readsFromRpcUrls, rpcUrls }: Network): string | undefined =>
  (readsFromRpcUrls && rpcUrls[0]) || undefined

/** Whether the app has a URL of a network's node, other than our server's. */
export const hasOwnRpcUrl = (app: App, chainId: ChainId): boolean =>
  Boolean(app.config.rpcUrls?.[chainId]) ||
  app.store
    .getState()
    .networks.some((one) => one.caipNetworkId === chainId && getReadUrl(one) !== undefined)

/** The URL of a network's node on our server, at `path` if it has no JSON-RPC. */
export function getNodeUrl(app: App, network: Network, path?: string): string {
  const { caipNetworkId: chainId } = network
  const { apiUrl, projectId } = app.config
  if (path) return `${apiUrl}/v1/${path}${chainId}?${new URLSearchParams({ projectId })}`
  return `${apiUrl}/v1/?${new URLSearchParams({ chainId, projectId })}`
}

/**
 * The RPC URL passed to a wallet that does not have the network: the app's own, otherwise the
 * network's public URL.
 */
export const getWalletRpcUrl = (app: App, network: Network): string =>
  app.config.rpcUrls?.[network.caipNetworkId] || network.rpcUrls[0] || getNodeUrl(app, network)
