import type { DirectoryWallet, getWallets } from '@latchkey/wire'
import type * as z from 'zod/mini'

type Query = z.infer<typeof getWallets.query>

/** Which wallets match and which of them are on the page. `count` is the number of all matches. */
export function selectWallets(
  wallets: readonly DirectoryWallet[],
  query: Omit<Query, 'page' | 'entries'> & { readonly page: number; readonly entries: number },
): { count: number; data: DirectoryWallet[] } {
  const filters = filtersOf(wallets, query)
  const matches = wallets.filter((wallet) => filters.every((accepts) => accepts(wallet)))
  const start = (query.page - 1) * query.entries
  return { count: matches.length, data: matches.slice(start, start + query.entries) }
}

type Filter = (wallet: DirectoryWallet) => boolean

function filtersOf(
  wallets: readonly DirectoryWallet[],
  query: Omit<Query, 'page' | 'entries'>,
): Filter[] {
  const search = query.search?.trim().toLowerCase()
  const include = listOf(query.include)
  const exclude = listOf(query.exclude)
  const names = listOf(query.names)
  const rdns = listOf(query.rdns)
  const badge = query.badge_type ?? query.badge
  // A badge that nobody gives here would leave nothing to choose from.
  const hasBadge = badge !== undefined && wallets.some((wallet) => wallet.badge_type === badge)
  // A wallet of a namespace can be told of any of its networks; the data names only the main one.
  const namespaces = listOf(query.chains)?.map(namespaceOf)
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
        wallet.chains.some((chain) => namespaces.includes(namespaceOf(chain)))),
    platform && ((wallet: DirectoryWallet) => isOn(wallet, platform)),
  ].filter((filter) => typeof filter === 'function')
}

/** A comma list, lower-case; undefined when nothing is in it. */
function listOf(text: string | undefined): string[] | undefined {
  const parts = text?.split(',').map((part) => part.trim().toLowerCase())
  const list = parts?.filter((part) => part !== '')
  return list?.length ? list : undefined
}

const namespaceOf = (chain: string) => chain.split(':')[0] ?? ''

function isOn(wallet: DirectoryWallet, platform: string): boolean {
  if (platform === 'ios') return Boolean(wallet.app_store || wallet.mobile_link)
  if (platform === 'android') return Boolean(wallet.play_store || wallet.mobile_link)
  if (platform === 'chrome') return Boolean(wallet.chrome_store)
  return true
}
