import type { App } from '../../../app.ts'
import { getRelayOptions } from '../../../server/getRelayOptions.ts'
import type { ConnectorInfo } from '../../../state.ts'
import { defaultStorageKey } from '../../../storage.ts'
import type { Connector } from '../connector.ts'
import { openConnector } from './openWalletConnect.ts'

/** Opens the connector with the app's configuration. */
export function startWalletConnect(app: App, info: ConnectorInfo): Promise<Connector> {
  const { config, storage, environment, signal, store } = app
  const { apiUrl, metadata } = config
  const relay = getRelayOptions(config.wallets)
  return openConnector({
    info,
    // http becomes ws, and https wss.
    relayUrl: relay.relayUrl ?? apiUrl.replace(/^http/, 'ws'),
    projectId: relay.projectId ?? config.projectId,
    metadata,
    bundlerUrl(chainId, bundler) {
      const query = new URLSearchParams({ projectId: config.projectId, chainId, bundler })
      return `${apiUrl}/v1/bundler?${query}`
    },
    networks: () => store.getState().networks,
    oneClick: async () =>
      config.siwx && (await import('../../../siwx/oneClick.ts')).openOneClick(app),
    storage,
    storageKey: config.storageKey ?? defaultStorageKey,
    environment,
    node: async (chainId) =>
      (await import('../../../network/getRpcClient.ts')).getRpcClient(app, chainId),
    signal,
  })
}
