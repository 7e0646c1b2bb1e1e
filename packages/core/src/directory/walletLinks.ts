import { type ChainId, canParseUrl, type DirectoryWallet, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { getRelayOptions } from '../server/getRelayOptions.ts'
import type { Platform } from './getPlatform.ts'

/** The fields of a directory wallet that are needed to connect to it. */
export type LinkedWallet = Pick<
  DirectoryWallet,
  | ('id' | 'name' | 'image_id' | 'rdns')
  | ('mobile_link' | 'link_mode' | 'desktop_link' | 'webapp_link' | 'dapp_link')
>

/**
 * `href` opens the wallet with a pairing; `base` opens only the wallet, to bring it to the front
 * later. With `opensPage`, the wallet is a web page and opens in a new window.
 */
export type WalletLink = { href: string; base?: string; opensPage?: true }

/** The ways a wallet can be opened. */
export type WalletLinks = {
  /** Opens the wallet's own URL scheme. */
  mobile?: WalletLink
  /** An https link that the phone passes to the wallet. */
  universal?: WalletLink
  webapp?: WalletLink
  desktop?: WalletLink
  /**
   * Opens this page in the wallet's own browser, for wallets that no relay reaches; their only
   * link.
   */
  browser?: WalletLink
}

/**
 * Whether directory wallets listen at the app's relay. They do if the app names a relay; the
 * server's relay, which is the default, only reaches wallets configured for it.
 */
export const hasWalletRelay = ({ config }: Pick<App, 'config'>): boolean =>
  getRelayOptions(config.wallets).relayUrl !== undefined

/**
 * The links of a wallet for a pairing URI. `pageUrl` is the page that a wallet's own browser opens.
 */
export function walletLinks(parameters: {
  wallet: Pick<
    LinkedWallet,
    'mobile_link' | 'link_mode' | 'desktop_link' | 'webapp_link' | 'dapp_link'
  >
  /** Absent if no relay reaches the wallet. */
  uri: string | undefined
  platform: Platform
  pageUrl: string
  /** The selected network. */
  chainId: ChainId
}): WalletLinks {
  const { wallet, uri, platform, pageUrl, chainId } = parameters
  const own = uri === undefined ? dappLink(wallet.dapp_link, pageUrl) : undefined
  const browser = browserLink({ base: wallet.mobile_link, pageUrl, chainId }) ?? own
  if (browser) return { browser: { href: browser } }
  if (uri === undefined) return {}
  const link = (base: string | null | undefined) => pairingLink({ base, uri, platform })
  const [mobile, universal] = [link(wallet.mobile_link), link(wallet.link_mode)]
  const [webapp, desktop] = [link(wallet.webapp_link), link(wallet.desktop_link)]
  return {
    ...(mobile && { mobile }),
    ...(universal && { universal }),
    ...(webapp && { webapp: { ...webapp, opensPage: true } }),
    ...(desktop && { desktop }),
  }
}

// Schemes that a browser would run or read in the page itself.
const unsafeScheme = /^(javascript|data|vbscript|file|blob|about|filesystem|view-source)$/

/**
 * `<scheme>://` or `https://…`, with a single slash at the end; undefined if the string is not a
 * link to a wallet.
 */
function normalizeBase(base: string | null | undefined): string | undefined {
  const text = base?.trim() ?? ''
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*)(?::\/{0,2}(.*))?$/i.exec(text) ?? []
  if (scheme === undefined || unsafeScheme.test(scheme.toLowerCase())) return undefined
  if (/^https?$/i.test(scheme)) {
    if (!canParseUrl(text)) return undefined
    return text.endsWith('/') ? text : `${text}/`
  }
  if (/[\s"'<>\\]/.test(rest)) return undefined
  if (rest === '') return `${scheme}://`
  return `${scheme}://${rest.endsWith('/') ? rest : `${rest}/`}`
}

function pairingLink(parameters: {
  base: string | null | undefined
  uri: string
  platform: Platform
}): WalletLink | undefined {
  const { uri, platform } = parameters
  const base = normalizeBase(parameters.base)
  if (base === undefined) return undefined
  const once = encodeURIComponent(uri)
  // Telegram on Android decodes a link once before it passes it on.
  const encoded = platform.isTelegram && platform.isAndroid ? encodeURIComponent(once) : once
  return { href: `${base}wc?uri=${encoded}`, base }
}

/**
 * Whether a phone can open a page in a wallet: wallets refuse http, and no phone reaches a page of
 * this computer.
 */
export function isOpenOnPhones(pageUrl: string): boolean {
  if (!canParseUrl(pageUrl)) return false
  const { protocol, hostname } = new URL(pageUrl)
  return protocol === 'https:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

/** The link that opens a page in a wallet's own browser. */
function dappLink(template: string | null | undefined, pageUrl: string): string | undefined {
  if (!template || normalizeBase(template) === undefined) return undefined
  if (!isOpenOnPhones(pageUrl)) return undefined
  const { host, pathname } = new URL(pageUrl)
  const once = encodeURIComponent(pageUrl)
  const values = { url: once, url2: encodeURIComponent(once), page: `${host}${pathname}` }
  return template.replace(/\{(url2?|page)\}/g, (_, name: keyof typeof values) => values[name])
}

/** The link to a wallet's own browser, for wallets that connect only to pages opened there. */
function browserLink(parameters: {
  base: string | null | undefined
  pageUrl: string
  chainId: ChainId
}): string | undefined {
  const { base, pageUrl, chainId } = parameters
  const url = encodeURIComponent(pageUrl)
  const scheme = normalizeBase(base)?.toLowerCase() ?? ''
  const origin = canParseUrl(pageUrl) ? encodeURIComponent(new URL(pageUrl).origin) : ''
  if (/^(phantom:|https:\/\/phantom\.(app|com)\/)/.test(scheme))
    return `https://phantom.app/ul/browse/${url}?ref=${origin}`
  if (/^(solflare:|https:\/\/solflare\.com\/)/.test(scheme))
    return `https://solflare.com/ul/v1/browse/${url}?ref=${origin}`
  const { walletBrowsers = [] } = namespaceMetadata[parseChainId(chainId).namespace]
  const browser = walletBrowsers.find(({ wallet }) => wallet.test(scheme))
  return browser && `${browser.link}${url}`
}
