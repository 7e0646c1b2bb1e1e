import type { App } from '../app.ts'
import type { Network } from '../networks.ts'

/**
 * The URL of a network's node: the app's own URL if it sets one, otherwise our server, at `path` if
 * it has no JSON-RPC.
 */
export function getNodeUrl(app: App, network: Network, path?: string): string {
  const own = app.config.rpcUrls?.[network.caipNetworkId]
  if (own) return own
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
  app.config.rpcUrls?.[network.caipNetworkId] ?? network.rpcUrls[0] ?? getNodeUrl(app, network)
