import { type App, askWallet, getPlatform, pushView, walletLinks } from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'
import { findConnector, findPairingConnector } from './walletRows.ts'

/**
 * How to reach a wallet of the directory: in this browser, by a code for another device, by a link on this phone, by
 * opening this page in the wallet's own browser, as a web page, or as a desktop app.
 */
export type Way = 'browser' | 'code' | 'phone' | 'page' | 'webapp' | 'desktop'

/** The ways to a wallet on this device, the preferred one first; empty if it must be installed first. */
export function getConnectMethods(app: App, wallet: DirectoryWallet): Way[] {
  const { connectors, activeChainId } = app.store.getState()
  const here: Way[] = findConnector(wallet, connectors) ? ['browser'] : []
  if (!findPairingConnector(connectors)) return here
  const { page } = app.environment
  const platform = getPlatform({ page })
  const links = walletLinks({
    wallet,
    uri: '',
    platform,
    pageUrl: page?.location.href ?? '',
    chainId: activeChainId,
  })
  const webapp: Way[] = links.webapp ? ['webapp'] : []
  if (platform.isPhone) {
    if (links.browser) return [...here, 'page']
    return [...here, ...(links.mobile || links.universal ? (['phone'] as const) : []), ...webapp]
  }
  if (links.browser) return here
  return [
    ...here,
    ...(isOnPhones(wallet) ? (['code'] as const) : []),
    ...webapp,
    ...(links.desktop ? (['desktop'] as const) : []),
  ]
}

/**
 * Shows the view that connects to a wallet of the directory, or where to get it. A wallet of this browser is asked
 * at once.
 */
export function chooseWallet(app: App, wallet: DirectoryWallet): void {
  const ways = getConnectMethods(app, wallet)
  const view = { name: 'ConnectingWalletConnect', walletId: wallet.id } as const
  const here = findConnector(wallet, app.store.getState().connectors)
  if (here) askWallet(app, { connectorId: here.id, ...(ways.length > 1 && { view }) })
  else if (ways.length > 0) pushView(app, view)
  else pushView(app, { name: 'Downloads', walletId: wallet.id })
}

/** Whether a wallet can be on a phone: the directory says so, or does not say where the wallet runs. */
function isOnPhones(wallet: DirectoryWallet): boolean {
  const { mobile_link, link_mode, app_store, play_store } = wallet
  if (mobile_link || link_mode || app_store || play_store) return true
  const { chrome_store, rdns, desktop_link, webapp_link } = wallet
  return !(chrome_store || rdns || desktop_link || webapp_link)
}
