import type { App } from '../app.ts'
import type { Network } from '../networks.ts'

/** Where a network's node is asked: the app's own URL where it sets one, else our server. */
export function getNodeUrl(app: App, network: Network): string {
  const own = app.config.rpcUrls?.[network.caipNetworkId]
  if (own) return own
  const query = new URLSearchParams({
    chainId: network.caipNetworkId,
    projectId: app.config.projectId,
  })
  return `${app.config.apiUrl}/v1/?${query}`
}

/** The URL that a wallet is given for a network it does not know: the app's own, else the network's public one. */
export const getWalletRpcUrl = (app: App, network: Network): string =>
  app.config.rpcUrls?.[network.caipNetworkId] ?? network.rpcUrls[0] ?? getNodeUrl(app, network)
