import type { Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { checkConnector } from '../development/checkConfig.ts'
import { withImageId } from '../directory/imageIds.ts'
import { walletWatchers } from '../namespaces/walletWatchers.ts'
import type { ConnectorInfo } from '../state.ts'
import type { Connector } from './connectors/connector.ts'
import { dedupe } from './connectors/dedupe.ts'
import { createEmbedded, embeddedId } from './connectors/embedded.ts'
import { createWalletConnect, walletConnectId } from './connectors/walletConnect.ts'
import { holdSearch } from './searchWallets.ts'

/**
 * Fills the app's connectors: from its environment and config, WalletConnect, announced wallets,
 * and the injected wallet as a fallback.
 */
export function discover(app: App): void {
  if (app.config.wallets.walletConnect && !app.connectors.has(walletConnectId))
    app.connectors.set(walletConnectId, createWalletConnect(app))
  const embedded = createEmbedded(app)
  if (embedded) app.connectors.set(embeddedId, embedded)
  for (const create of app.config.wallets.connectors ?? []) {
    const connector = create(app)
    if (process.env.NODE_ENV !== 'production') checkConnector(connector)
    if (connector) app.connectors.set(connector.info.id, connector)
  }
  publish(app, [])
  if (typeof window === 'undefined') return
  const found: Connector[] = []
  const add = (connector: Connector) => {
    if (app.connectors.has(connector.info.id)) return
    app.connectors.set(connector.info.id, connector)
    found.push(connector)
    publish(app, found)
  }
  const watched = new Set<Namespace>()
  const follow = () => {
    for (const { chainNamespace } of app.store.getState().networks) {
      if (watched.has(chainNamespace)) continue
      watched.add(chainNamespace)
      watch(app, { namespace: chainNamespace, add })
    }
  }
  follow()
  // A network that is added later may be the first of its namespace.
  app.signal.addEventListener('abort', app.store.subscribe(follow))
}

/** Searches for the wallets of a namespace. */
function watch(
  app: App,
  { namespace, add }: { namespace: Namespace; add: (connector: Connector) => void },
) {
  const watcher = walletWatchers[namespace]
  if (!watcher) return
  if ('watch' in watcher) return watcher.watch(app, add)
  const { storage, environment, signal } = app
  const search = () =>
    watcher.load().then(
      (watchWallets) => {
        if (!signal.aborted) watchWallets(app, add)
      },
      (cause) => environment.warn('The search for wallets could not be loaded', cause),
    )
  // A returning user may be connected with any of these wallets.
  const wasHere = storage.get('connections') || storage.get('recentWallets')
  if (wasHere) void search()
  else holdSearch(app, search)
}

/**
 * Writes the list that views show. Removes a fallback if another wallet of its namespaces was
 * found, because it is nearly always a duplicate.
 */
function publish(app: App, found: readonly Connector[]) {
  const infos = [...app.connectors.values()].map(({ info }) => info)
  const isReplaced = ({ namespaces }: ConnectorInfo) =>
    found.some(
      ({ info }) =>
        !info.traits?.isFallback && info.namespaces.some((each) => namespaces.includes(each)),
    )
  const visible = infos.filter((info) => !info.traits?.isFallback || !isReplaced(info))
  // A wallet that is also found in this browser is connected there.
  const isFound = ({ traits }: ConnectorInfo) => !traits?.isExternal
  const ordered = [...visible.filter(isFound), ...visible.filter((info) => !isFound(info))]
  app.store.setState({ connectors: dedupe(ordered).map((info) => withImageId(app, info)) })
}
