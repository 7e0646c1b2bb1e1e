import { type Namespace, namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { isConnected } from '../state.ts'
import type { StorageKey } from '../storage.ts'
import { followConnection } from './further/followConnection.ts'
import { followFurther } from './further/followFurther.ts'
import { selectSaved } from './restore.ts'
import { watchAccount } from './watchAccount.ts'

/** Applies the data that another tab has saved under a key. */
export function followTab(app: App, key: StorageKey): void {
  if (key === 'connections') {
    watchAccount(app)
    for (const namespace of namespaces) void followConnection(app, namespace)
  }
  if (key === 'furtherConnections') {
    watchAccount(app)
    void followFurther(app)
  }
  if (key === 'recentWallets')
    app.store.setState({ recentWallets: app.storage.get('recentWallets') ?? [] })
  if (key === 'contacts') app.store.setState({ contacts: app.storage.get('contacts') ?? [] })
  if (key === 'activeChainId' && !namespaces.some((namespace) => isConnectedIn(app, namespace)))
    selectSaved(app, app.storage.get('activeChainId'))
}

const isConnectedIn = (app: App, namespace: Namespace) =>
  isConnected(app.store.getState().connections[namespace])
