import { frameNamespaces, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { walletWatchers } from '../namespaces/walletWatchers.ts'
import type { Connector } from './connectors/connector.ts'
import { dedupe } from './connectors/dedupe.ts'
import { createEmbedded, embeddedId } from './connectors/embedded.ts'
import { createWalletConnect, walletConnectId } from './connectors/walletConnect.ts'

/**
 * Fills the app's connectors: those of its environment, WalletConnect, announced wallets, and the injected one as a
 * fallback.
 */
export function discover(app: App): void {
  if (app.config.enableWalletConnect !== false) {
    const connector = createWalletConnectConnector(app)
    app.connectors.set(connector.info.id, connector)
  }
  const embedded = createEmbeddedConnector(app)
  if (embedded) app.connectors.set(embeddedId, embedded)
  publish(app, [])
  if (typeof window === 'undefined') return
  const { config, environment, signal } = app
  const found: Connector[] = []
  const add = (connector: Connector) => {
    if (app.connectors.has(connector.info.id)) return
    app.connectors.set(connector.info.id, connector)
    found.push(connector)
    publish(app, found)
  }
  for (const watchWallets of walletWatchers)
    watchWallets({ config, sleep: environment.sleep, signal, add })
}

function createWalletConnectConnector(app: App): Connector {
  const { config, storage, environment, signal, store } = app
  const { apiUrl, metadata, walletConnect, networks } = config
  const [first, ...others] = networks.map(({ chainNamespace }) => chainNamespace)
  return createWalletConnect({
    info: {
      id: walletConnectId,
      kind: 'walletConnect',
      name: 'WalletConnect',
      traits: { pairs: true, approvesLate: true, reconnectsSavedOnly: true },
      namespaces: [first as Namespace, ...others.filter((each) => each !== first)],
    },
    // http becomes ws, and https wss.
    relayUrl: walletConnect?.relayUrl ?? apiUrl.replace(/^http/, 'ws'),
    projectId: walletConnect?.projectId ?? config.projectId,
    metadata,
    bundlerUrl(chainId, bundler) {
      const query = new URLSearchParams({ projectId: config.projectId, chainId, bundler })
      return `${apiUrl}/v1/bundler?${query}`
    },
    networks: () => store.getState().networks,
    storage,
    environment,
    node: async (chainId) =>
      (await import('../network/getRpcClient.ts')).getRpcClient(app, chainId),
    signal,
  })
}

/** The embedded wallet, where the app has a secure frame, e-mail login and a network that it can use. */
function createEmbeddedConnector(app: App): Connector | undefined {
  const { config, storage, store } = app
  const configured = config.networks.map(({ chainNamespace }) => chainNamespace)
  const [first, ...others] = frameNamespaces.filter((each) => configured.includes(each))
  if (!config.frameUrl || !config.features.email || !first) return undefined
  const actions = () => import('../embedded/approve.ts')
  return createEmbedded({
    info: {
      id: embeddedId,
      kind: 'embedded',
      name: 'E-mail wallet',
      traits: { hasLogin: true },
      namespaces: [first, ...others],
    },
    storage,
    networks: () => store.getState().networks,
    activeChainId: () => store.getState().activeChainId,
    frame: async () => (await import('../embedded/getFrame.ts')).getFrame(app),
    approve: async (ask) => (await actions()).approve(app, ask),
    refuse: async () => (await actions()).refuse(app),
  })
}

/** Writes the list that views see. A fallback is nearly always one of the other wallets found again, so it goes then. */
function publish(app: App, found: readonly Connector[]) {
  const infos = [...app.connectors.values()].map(({ info }) => info)
  const hasOthers = found.some(({ info }) => !info.traits?.isFallback)
  const shown = hasOthers ? infos.filter(({ traits }) => !traits?.isFallback) : infos
  app.store.setState({ connectors: dedupe(shown) })
}
