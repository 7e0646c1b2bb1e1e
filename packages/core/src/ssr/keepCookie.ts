import type { App } from '../app.ts'
import { activeConnection, isConnected, type State } from '../state.ts'
import { getCookieName, maxCookieLength, type SavedState } from './savedState.ts'

const yearInSeconds = 365 * 24 * 3600

/**
 * Keeps the account of the selected network in a cookie of the page's site, as long as the app
 * lives. With the cookie, the server can render the account at the next visit.
 */
export function keepCookie(app: App): void {
  const name = getCookieName(app.config.storageKey)
  let written: string | undefined
  const write = (state: State) => {
    const value = encode(state)
    if (value === written) return
    written = value
    const age = value === '' ? 0 : yearInSeconds
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API lacks support in Firefox
    document.cookie = `${name}=${value}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`
  }
  write(app.store.getState())
  app.signal.addEventListener('abort', app.store.subscribe(write))
}

/** The cookie's value; empty if no account is connected. */
function encode(state: State): string {
  const connection = activeConnection(state)
  if (!isConnected(connection)) return ''
  const { account, chainId, connectorId, wallet } = connection
  const saved: SavedState = {
    activeChainId: state.activeChainId,
    connections: {
      [account.namespace]: { connectorId, chainId, accounts: [account], ...(wallet && { wallet }) },
    },
  }
  const value = encodeURIComponent(JSON.stringify(saved))
  return value.length > maxCookieLength ? '' : value
}
