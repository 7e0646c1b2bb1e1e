import { type ChainId, isError } from '@latchkey/wire'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import { readEarlier } from './readEarlier.ts'
import { readFacts } from './readFacts.ts'
import { readNewestSlots } from './readNewest.ts'
import { beforeSlot, type SolanaPosition } from './solanaCursor.ts'
import {
  loadLists,
  loadTransactions,
  openAccount,
  type StoredAccount,
  type StoredTransaction,
  storeFacts,
  storeProgress,
} from './solanaStore.ts'
import type { SolanaRow } from './toSolanaEntry.ts'

type SolanaPageDeps = Pick<Services, 'db' | 'clock' | 'log'> & { readonly upstreams: Upstreams }

type PageQuery = {
  readonly chainId: ChainId
  readonly owner: string
  readonly after: SolanaPosition | undefined
}

type SolanaPage = {
  readonly rows: readonly SolanaRow[]
  /** The start of the next page; undefined only if no further rows can come. */
  readonly next: SolanaPosition | undefined
  /** Nothing is missing in the page, as far as the nodes know. */
  readonly isComplete: boolean
  /** The transactions of the page that could not be read. */
  readonly unread: readonly StoredTransaction[]
}

const pageSize = 100
/** How long the result of a refresh counts as the newest. */
const freshMs = 1_000
/** The number of portions of older signatures that are read for one page. */
const maxPortions = 4

/** Reads pages of accounts' transactions: what is stored from there, the rest from the nodes. */
export function createSolanaPages(deps: SolanaPageDeps) {
  const { db, clock, log, upstreams } = deps
  const refreshing = new Map<number, Promise<boolean>>()

  /**
   * Refreshes an account. Returns whether all lists that can contain its transactions are known.
   */
  async function refreshNow(
    { id }: StoredAccount,
    { chainId, owner }: PageQuery,
  ): Promise<boolean> {
    const nowMs = clock()
    const lists = await loadLists(db, id)
    const news = await readNewestSlots({ upstreams, chainId }, { owner, lists, nowMs })
    await storeProgress(db, { accountId: id, ...news, refreshedAt: new Date(nowMs) })
    return news.isComplete
  }

  const isRecent = ({ refreshedAtMs }: StoredAccount) =>
    refreshedAtMs !== undefined && Math.abs(clock() - refreshedAtMs) < freshMs

  /**
   * Reads the newest transactions, once for all simultaneous requests. Returns whether all of them
   * are known now.
   */
  async function refresh(account: StoredAccount, query: PageQuery): Promise<boolean> {
    const { id, refreshedAtMs } = account
    const running =
      refreshing.get(id) ?? refreshNow(account, query).finally(() => refreshing.delete(id))
    refreshing.set(id, running)
    try {
      return await running
    } catch (error) {
      // The stored entries are still correct, only not new.
      if (refreshedAtMs === undefined || !isError(error, 'RPC_UNAVAILABLE')) throw error
      log.warn({ chain: query.chainId }, 'newest transactions not read')
      return false
    }
  }

  return async (query: PageQuery): Promise<SolanaPage> => {
    const { chainId, owner, after } = query
    const known = await openAccount(db, query)
    // A later page does not depend on new entries.
    const isDue = known.refreshedAtMs === undefined || (after === undefined && !isRecent(known))
    const isFresh = !isDue || (await refresh(known, query))
    const account = isDue ? await openAccount(db, query) : known
    const nodes = { upstreams, chainId }
    const { found, horizon } = await readPlaces(deps, { nodes, account, query })
    const places = found.slice(0, pageSize)
    const unknown = places.filter(({ facts }) => facts === undefined)
    const signatures = unknown.map(({ signature }) => signature)
    const read = await readFacts(nodes, { owner, signatures })
    await storeFacts(db, account.id, read)
    const rows = places.flatMap((place): SolanaRow[] => {
      const facts = place.facts ?? read.get(place.signature)
      return facts === undefined ? [] : [{ ...place, facts }]
    })
    const next = getNext({ places, hasMore: found.length > pageSize, horizon, after })
    const unread = places.filter(({ facts, signature }) => !facts && !read.has(signature))
    return { rows, next, isComplete: isFresh && unread.length === 0, unread }
  }
}

type PlacesQuery = {
  readonly nodes: { readonly upstreams: Upstreams; readonly chainId: ChainId }
  readonly account: StoredAccount
  readonly query: PageQuery
}

/**
 * The transactions above the slot to which all lists are read: if possible, one more than the page
 * needs.
 */
async function readPlaces({ db, clock }: SolanaPageDeps, { nodes, account, query }: PlacesQuery) {
  const { after } = query
  const { id: accountId } = account
  const limit = pageSize + 1
  let { horizon } = account
  for (let portion = 0; ; portion++) {
    const found = await loadTransactions(db, { accountId, after, above: horizon, limit })
    if (horizon === undefined || found.length === limit || portion === maxPortions)
      return { found, horizon }
    const lists = await loadLists(db, accountId)
    const read = await readEarlier(nodes, { lists, nowMs: clock() })
    await storeProgress(db, { accountId, ...read })
    horizon = (await openAccount(db, query)).horizon
  }
}

type NextQuery = {
  readonly places: readonly SolanaPosition[]
  readonly hasMore: boolean
  readonly horizon: bigint | undefined
  readonly after: SolanaPosition | undefined
}

function getNext({ places, hasMore, horizon, after }: NextQuery): SolanaPosition | undefined {
  const last = places.at(-1)
  if (hasMore && last !== undefined) return { slot: last.slot, signature: last.signature }
  if (horizon === undefined) return undefined
  // Everything above the horizon has been returned.
  if (after !== undefined && after.slot <= horizon) return after
  return { slot: horizon, signature: beforeSlot }
}
