import type { ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getNodeUrl, hasOwnRpcUrl } from './rpcUrls.ts'

/**
 * A socket to a network's node through our server; undefined if the app may use another node, or
 * sockets are not available.
 */
export function openRpcSocket(app: App, chainId: ChainId): WebSocket | undefined {
  const { environment, store } = app
  const network = store.getState().networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (!network || hasOwnRpcUrl(app, chainId) || !environment.webSocket) return undefined
  try {
    return new environment.webSocket(getNodeUrl(app, network).replace(/^http/, 'ws'))
  } catch {
    // A secure page may not open a socket to a server without TLS.
    return undefined
  }
}
