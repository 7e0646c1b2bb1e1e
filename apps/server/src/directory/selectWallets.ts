import { readFileSync } from 'node:fs'
import { type DirectoryWallet, directoryWallet, type getWallets, isNamespace } from '@latchkey/wire'
import * as z from 'zod/mini'

type Query = z.infer<typeof getWallets.query>

/** Which wallets match and which of them are on the page. `count` is the number of all matches. */
export function selectWallets(
  wallets: readonly DirectoryWallet[],
  query: Omit<Query, 'page' | 'entries'> & { readonly page: number; readonly entries: number },
): { count: number; data: DirectoryWallet[] } {
  const filters = createFilters(wallets, query)
  const matches = wallets.filter((wallet) => filters.every((accepts) => accepts(wallet)))
  const start = (query.page - 1) * query.entries
  return { count: matches.length, data: matches.slice(start, start + query.entries) }
}

type Filter = (wallet: DirectoryWallet) => boolean

function createFilters(
  wallets: readonly DirectoryWallet[],
  query: Omit<Query, 'page' | 'entries'>,
): Filter[] {
  const search = query.search?.trim().toLowerCase()
  const include = parseList(query.include)
  const exclude = parseList(query.exclude)
  const names = parseList(query.names)
  const rdns = parseList(query.rdns)
  const badge = query.badge_type ?? query.badge
  // A badge that no wallet has would leave nothing to choose from.
  const hasBadge = badge !== undefined && wallets.some((wallet) => wallet.badge_type === badge)
  // A wallet supports every network of its namespace; the data names only the main one.
  const namespaces = parseList(query.chains)?.map(getNamespace)
  const platform = query.platform?.toLowerCase()
  return [
    search && ((wallet: DirectoryWallet) => wallet.name.toLowerCase().includes(search)),
    include && ((wallet: DirectoryWallet) => include.includes(wallet.id)),
    exclude && ((wallet: DirectoryWallet) => !exclude.includes(wallet.id)),
    names && ((wallet: DirectoryWallet) => names.includes(wallet.name.toLowerCase())),
    rdns && ((wallet: DirectoryWallet) => rdns.includes(wallet.rdns?.toLowerCase() ?? '')),
    hasBadge && ((wallet: DirectoryWallet) => wallet.badge_type === badge),
    namespaces &&
      ((wallet: DirectoryWallet) =>
        wallet.chains.some((chain) => namespaces.includes(getNamespace(chain)))),
    platform && ((wallet: DirectoryWallet) => runsOn(wallet, platform)),
  ].filter((filter) => typeof filter === 'function')
}

/** A comma-separated list in lower case; undefined if it is empty. */
function parseList(text: string | undefined): string[] | undefined {
  const parts = text?.split(',').map((part) => part.trim().toLowerCase())
  const list = parts?.filter((part) => part !== '')
  return list?.length ? list : undefined
}

/** A number alone is the id of an EVM network, as elsewhere in the API. */
const getNamespace = (chain: string) =>
  /^\d+$/.test(chain) ? 'eip155' : (chain.split(':')[0] ?? '')

/** Whether `chains` of a query names networks (CAIP-2, or the number of an EVM network) or namespaces only. */
export const areChains = (chains: string | undefined): boolean =>
  (parseList(chains) ?? []).every(
    (one) => isNamespace(one) || /^(?:[-a-z0-9]{3,8}:[-\w]{1,32}|\d{1,16})$/.test(one),
  )

function runsOn(wallet: DirectoryWallet, platform: string): boolean {
  if (platform === 'ios') return Boolean(wallet.app_store || wallet.mobile_link)
  if (platform === 'android') return Boolean(wallet.play_store || wallet.mobile_link)
  if (platform === 'chrome') return Boolean(wallet.chrome_store)
  return true
}

/** The wallets of the data set, in the order they are shown. Throws if the file does not match the schema. */
export function readWallets(): readonly DirectoryWallet[] {
  const text = readFileSync(new URL('../../data/wallets.json', import.meta.url), 'utf8')
  const wallets = z.array(directoryWallet).parse(JSON.parse(text))
  return wallets.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity))
}
