import {
  type App,
  activeNetwork,
  type ConnectorInfo,
  getCustomWallets,
  getPlatform,
  hasWalletRelay,
  isConnected,
  isOpenOnPhones,
  promptInClick,
  pushView,
  type State,
  walletLinks,
} from '@latchkey/core/internal'
import type { DirectoryWallet, Namespace } from '@latchkey/wire'
import { findConnectors, findPairingConnector } from './walletRows.ts'

/**
 * How to reach a wallet of the directory: in this browser, by a code for another device, by a link
 * on this phone, by opening this page in the wallet's own browser (on this phone, or on another by
 * a code), by opening a web page or a desktop app.
 */
export type ConnectionMethod =
  | 'browser'
  | 'code'
  | 'phone'
  | 'page'
  | 'pageCode'
  | 'webapp'
  | 'desktop'

/**
 * The ways to a wallet on this device, the preferred first; empty if it must be installed first.
 */
export function getConnectionMethods(app: App, wallet: DirectoryWallet): ConnectionMethod[] {
  const { connectors, activeChainId } = app.store.getState()
  const here: ConnectionMethod[] = findConnectors(wallet, connectors).length > 0 ? ['browser'] : []
  const { page } = app.environment
  const pageUrl = page?.location.href ?? ''
  const platform = getPlatform({ page })
  const hasRelay = isPaired(app)
  const links = walletLinks({
    wallet,
    uri: hasRelay ? '' : undefined,
    platform,
    pageUrl,
    chainId: activeChainId,
  })
  const webapp: ConnectionMethod[] = links.webapp ? ['webapp'] : []
  if (links.browser && platform.isPhone) return [...here, 'page']
  if (links.browser) return [...here, ...(isOpenOnPhones(pageUrl) ? (['pageCode'] as const) : [])]
  if (!hasRelay) return here
  if (platform.isPhone)
    return [...here, ...(links.mobile || links.universal ? (['phone'] as const) : []), ...webapp]
  return [
    ...here,
    ...(isOnPhones(wallet) ? (['code'] as const) : []),
    ...webapp,
    ...(links.desktop ? (['desktop'] as const) : []),
  ]
}

/** Whether wallets of the directory can be paired by code or link. */
const isPaired = (app: App) =>
  findPairingConnector(app.store.getState().connectors) !== undefined && hasWalletRelay(app)

/**
 * Whether a wallet can be connected from here. On a computer, the user may install it; on a phone,
 * installing it changes nothing if no way leads to it.
 */
export const canConnect = (app: App, wallet: DirectoryWallet): boolean =>
  !getPlatform({ page: app.environment.page }).isPhone ||
  getConnectionMethods(app, wallet).length > 0

/**
 * Whether the list of all wallets has one that can be connected from here, judged by the first
 * wallets of the directory. Without a relay, a phone may reach none.
 */
export const canConnectAny = (app: App, first: readonly DirectoryWallet[]): boolean =>
  !getPlatform({ page: app.environment.page }).isPhone ||
  isPaired(app) ||
  [...getCustomWallets(app), ...first].some((wallet) => canConnect(app, wallet))

/**
 * Shows the view that connects to a wallet of the directory, or where to get it. Sends the request
 * to a wallet of this browser at once.
 */
export function chooseWallet(app: App, wallet: DirectoryWallet): void {
  const methods = getConnectionMethods(app, wallet)
  const view = { name: 'ConnectingWalletConnect', walletId: wallet.id } as const
  const here = getOffered(app, findConnectors(wallet, app.store.getState().connectors))
  if (here.length === 1 && methods.length > 1)
    for (const { id } of here) promptInClick(app, { connectorId: id, view })
  else if (here.length > 0) askConnectors(app, here)
  else if (methods.length > 0) pushView(app, view)
  else pushView(app, { name: 'Downloads', walletId: wallet.id })
}

/**
 * Sends the request to a wallet of this browser at once, for the selected network's namespace. If
 * the wallet has several other namespaces instead, a view first lets the user choose.
 */
export function askConnectors(app: App, connectors: readonly ConnectorInfo[]): void {
  const connectorIds = getOffered(app, connectors).map(({ id }) => id)
  if (connectorIds.length > 1) pushView(app, { name: 'ConnectNamespaces', connectorIds })
  else for (const connectorId of connectorIds) promptInClick(app, { connectorId })
}

/**
 * The wallet's connector for the selected network's namespace. If the wallet does not serve that
 * namespace: all its connectors, or nothing while another namespace is connected.
 */
function getOffered(app: App, connectors: readonly ConnectorInfo[]): readonly ConnectorInfo[] {
  const state = app.store.getState()
  const selected = findSelected(state, connectors)
  if (selected) return [selected]
  return getWantedNamespace(state) ? [] : connectors
}

/** The wallet's connector for the selected network's namespace. */
export function findSelected(
  state: State,
  connectors: readonly ConnectorInfo[],
): ConnectorInfo | undefined {
  const { chainNamespace } = activeNetwork(state)
  return connectors.find(({ namespaces }) => namespaces.includes(chainNamespace))
}

/**
 * The namespace that still has to be connected while another namespace is connected; undefined
 * while no namespace is connected.
 */
export function getWantedNamespace(state: State): Namespace | undefined {
  const isAny = Object.values(state.connections).some(isConnected)
  return isAny ? activeNetwork(state).chainNamespace : undefined
}

/**
 * Whether a wallet can be on a phone: the directory lists a phone app, or lists no platform at all.
 */
export function isOnPhones(wallet: DirectoryWallet): boolean {
  const { mobile_link, link_mode, app_store, play_store } = wallet
  if (mobile_link || link_mode || app_store || play_store) return true
  const { chrome_store, rdns, desktop_link, webapp_link } = wallet
  return !(chrome_store || rdns || desktop_link || webapp_link)
}

/** How a wallet of the directory is reached. */
export const methodTags: Readonly<
  Record<ConnectionMethod, 'tag.installed' | 'tag.code' | 'tag.app' | 'tag.web'>
> = {
  browser: 'tag.installed',
  code: 'tag.code',
  pageCode: 'tag.code',
  phone: 'tag.app',
  page: 'tag.app',
  desktop: 'tag.app',
  webapp: 'tag.web',
}
