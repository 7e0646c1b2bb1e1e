import { type Namespace, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { hasLogin } from '../embedded/login/hasLogin.ts'
import { forceCloseModal, isUnsupported, openModal } from '../modal/modal.ts'
import { needsAccount, type View } from '../modal/views.ts'
import {
  activeNetwork,
  type Connected,
  type Connection,
  type ConnectorInfo,
  emptyDrafts,
  isConnected,
  listConnections,
  type PeerWallet,
  type RecentWallet,
} from '../state.ts'
import { chainFields, connected } from './buildConnection.ts'
import type { ConnectResult } from './connectors/connector.ts'
import { isSameInstalledWallet } from './connectors/dedupe.ts'
import { exchange, saveExchange } from './further/furtherConnections.ts'

/** How many recent wallets are kept. */
const recentWalletsLimit = 2

type ConnectionParameters = {
  connectorId: string
  result: ConnectResult
  /** Whether to select the result's chain; true by default. */
  isSelected?: boolean
  /** Whether to save it for the next visit and the other tabs; true by default. */
  isSaved?: boolean
  /** The wallet that was in use and stays connected. */
  former?: Connected | undefined
}

/**
 * Writes the result of a wallet in a namespace: a new connection, or another account or network of
 * the present connection.
 */
export function setConnection(app: App, parameters: ConnectionParameters): void {
  show(app, parameters)
  if (parameters.isSaved ?? true) save(app, parameters)
}

function save(app: App, { connectorId, result, former }: ConnectionParameters) {
  const { namespace } = parseChainId(result.chainId)
  const { accounts, chainId, wallet } = result
  app.storage.set('connections', {
    ...app.storage.get('connections'),
    [namespace]: { connectorId, chainId, accounts: [...accounts], ...(wallet && { wallet }) },
  })
  // Only now: another tab has to know that the chosen wallet is in use before it leaves the list.
  saveExchange(app, { place: { connectorId, namespace }, former })
  app.storage.set('activeChainId', app.store.getState().activeChainId)
  const info = app.connectors.get(connectorId)?.info
  if (info && !info.traits?.hasLogin) remember(app, { info, wallet })
}

function show(app: App, parameters: ConnectionParameters) {
  const { connectorId, result, isSelected = true, former } = parameters
  const { namespace } = parseChainId(result.chainId)
  const connection = connected({ status: 'connected', connectorId, result })
  app.store.setState((state) => ({
    connections: { ...state.connections, [namespace]: connection },
    furtherConnections: exchange(state.furtherConnections, {
      place: { connectorId, namespace },
      former,
    }),
    ...(isSelected && chainFields(state, connection)),
    ...(result.user && { user: result.user }),
  }))
  // A click that signs or switches must not wait for this, because the browser could block the
  // wallet's window.
  app.loadActions(parseChainId(result.chainId).namespace).catch(() => {})
  const { modal } = app.store.getState()
  const isAsking = modal.history.some(({ name }) => name === 'UnsupportedChain')
  if (isUnsupported(app)) {
    if (!modal.open || !isAsking) openModal(app, { view: { name: 'UnsupportedChain' } })
  } else if (modal.open && isAsking) forceCloseModal(app)
}

/**
 * Writes that a namespace has no connection; the saved connection for the next visit stays. The
 * form and the view of another namespace's account stay too.
 */
export function setDisconnected(app: App, namespace: Namespace): void {
  const state = app.store.getState()
  const before = state.connections[namespace]
  const had = isConnected(before)
  const wasInUse = had && activeNetwork(state).chainNamespace === namespace
  const connection: Connection = { status: 'disconnected' }
  app.store.setState({
    connections: { ...state.connections, [namespace]: connection },
    ...(state.unsupportedChainId?.startsWith(`${namespace}:`) && { unsupportedChainId: undefined }),
    ...(wasInUse && emptyDrafts),
    ...(had && hasLogin(app, before.connectorId) && { user: undefined }),
  })
  if (had) closeAccountViews(app, namespace)
}

/**
 * Closes the modal if it shows the account of a namespace, because that is no longer in use. The
 * list of connected wallets stays while there are any.
 */
export function closeAccountViews(app: App, namespace: Namespace): void {
  const state = app.store.getState()
  const { open, history } = state.modal
  const isOnList = history.at(-1)?.name === 'ConnectedWallets' && listConnections(state).length > 0
  const active = activeNetwork(state).chainNamespace
  const isShown = (view: View) =>
    needsAccount[view.name] && (getNamespace(view) ?? active) === namespace
  if (open && !isOnList && history.some(isShown)) forceCloseModal(app)
}

/** The namespace that a view names; undefined if it shows the account in use. */
function getNamespace(view: View): Namespace | undefined {
  if (view.name === 'CallsStatus') return view.namespace
  const chainId =
    'token' in view ? view.token.chainId : 'nft' in view ? view.nft.chainId : undefined
  return chainId && parseChainId(chainId).namespace
}

/** Deletes the saved data of a namespace's connection. */
export function forget(app: App, namespace: Namespace): void {
  const { [namespace]: _, ...rest } = app.storage.get('connections') ?? {}
  app.storage.set('connections', rest)
}

/**
 * Connectors that the user has disconnected, here or in another tab: none of them reconnects
 * automatically.
 */
export const getLeftConnectors = (app: App): readonly string[] =>
  app.storage.get('disconnected') ?? []

function remember(app: App, parameters: { info: ConnectorInfo; wallet: PeerWallet | undefined }) {
  const { id, rdns } = parameters.info
  // A wallet that is not in the directory can be found again only by its connector.
  const { walletId } = parameters.wallet ?? {}
  const { name, iconUrl } = (walletId && parameters.wallet) || parameters.info
  const wallet: RecentWallet = {
    id,
    name,
    ...(iconUrl && { iconUrl }),
    ...(rdns && { rdns }),
    ...(walletId && { walletId }),
  }
  const others = app.store
    .getState()
    .recentWallets.filter((other) => !isSameInstalledWallet(other, wallet))
  const recentWallets = [wallet, ...others].slice(0, recentWalletsLimit)
  app.store.setState({ recentWallets })
  app.storage.set('recentWallets', recentWallets)
}
