import { readFileSync } from 'node:fs'
import { directoryWallet, type getWalletsRoute, isNamespace } from '@latchkey/wire'
import * as z from 'zod/mini'

const storedWallet = z.extend(directoryWallet, {
  /** The source that named the wallet last, and the day on which it did (`2026-05-06`). */
  source: z.string(),
  checked_at: z.iso.date(),
  /** The published report of a security test for which the wallet has the badge `certified`. */
  badge_source: z.optional(z.string()),
})
/**
 * A wallet of the data set. Pages leave out the fields that {@link directoryWallet} does not have.
 */
export type StoredWallet = z.infer<typeof storedWallet>

type Query = z.infer<typeof getWalletsRoute.query>

/** Which wallets match and which of them are on the page. `count` is the number of all matches. */
export function selectWallets(
  wallets: readonly StoredWallet[],
  query: Omit<Query, 'page' | 'entries'> & { readonly page: number; readonly entries: number },
): { count: number; data: StoredWallet[] } {
  const filters = createFilters(wallets, query)
  const matches = wallets.filter((wallet) => filters.every((accepts) => accepts(wallet)))
  const start = (query.page - 1) * query.entries
  return { count: matches.length, data: matches.slice(start, start + query.entries) }
}

type Filter = (wallet: StoredWallet) => boolean

function createFilters(
  wallets: readonly StoredWallet[],
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
    search && ((wallet: StoredWallet) => wallet.name.toLowerCase().includes(search)),
    include && ((wallet: StoredWallet) => include.includes(wallet.id)),
    exclude && ((wallet: StoredWallet) => !exclude.includes(wallet.id)),
    names && ((wallet: StoredWallet) => names.includes(wallet.name.toLowerCase())),
    rdns && ((wallet: StoredWallet) => rdns.includes(wallet.rdns?.toLowerCase() ?? '')),
    hasBadge && ((wallet: StoredWallet) => wallet.badge_type === badge),
    namespaces &&
      ((wallet: StoredWallet) =>
        wallet.chains.some((chain) => namespaces.includes(getNamespace(chain)))),
    platform && ((wallet: StoredWallet) => runsOn(wallet, platform)),
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

/**
 * Whether `chains` of a query names networks (CAIP-2, or the number of an EVM network) or
 * namespaces only.
 */
export const areChains = (chains: string | undefined): boolean =>
  (parseList(chains) ?? []).every(
    (one) => isNamespace(one) || /^(?:[-a-z0-9]{3,8}:[-\w]{1,32}|\d{1,16})$/.test(one),
  )

function runsOn(wallet: StoredWallet, platform: string): boolean {
  if (platform === 'ios') return Boolean(wallet.app_store || wallet.mobile_link)
  if (platform === 'android') return Boolean(wallet.play_store || wallet.mobile_link)
  if (platform === 'chrome') return Boolean(wallet.chrome_store)
  return true
}

/**
 * The wallets of the data set, in the order they are shown. Throws if the file does not match the
 * schema.
 */
export function readWallets(): readonly StoredWallet[] {
  const text = readFileSync(new URL('../../data/wallets.json', import.meta.url), 'utf8')
  const wallets = z.array(storedWallet).parse(JSON.parse(text))
  return wallets.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity))
}
