import { type App, getHistory, type HistoryPage } from '@latchkey/core'
import type { HistorySync } from '@latchkey/wire'
import { infiniteQueryOptions, type Query } from '@tanstack/react-query'
import type { AccountScope } from '../queries/accountQueries.ts'
import { getQueryClient } from '../queries/queries.ts'
import { mergeHistoryPages } from './mergeHistoryPages.ts'

/**
 * The transactions of an account on a network. {@link refreshHistory} adds new rows without
 * refetching everything.
 */
export const historyQuery = (app: App, { address, chainId }: AccountScope) =>
  infiniteQueryOptions({
    queryKey: ['latchkey', 'history', chainId, address],
    queryFn: ({ pageParam, signal }) =>
      pageParam === undefined
        ? readNewest(app, { address, chainId, signal })
        : getHistory(app, { address, chainId, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  })

const findQuery = (app: App, holder: AccountScope) =>
  getQueryClient(app)
    .getQueryCache()
    .find({ queryKey: historyQuery(app, holder).queryKey })

/** When the history in a query was requested. */
const refreshedAtMs = new WeakMap<Query, number>()
/** The progress of the server's search in the last event. */
const toldProgress = new WeakMap<Query, { sync: HistorySync; atMs: number }>()

/**
 * Reads the newest page. A response that was pending when an event reported more progress does not
 * revert that progress, and is read again if the search has ended since.
 */
async function readNewest(
  app: App,
  parameters: AccountScope & { signal?: AbortSignal },
): Promise<HistoryPage> {
  const askedAtMs = performance.now()
  const page = await getHistory(app, parameters)
  const query = findQuery(app, parameters)
  const told = query && toldProgress.get(query)
  if (!told || !page.sync || page.sync.complete || askedAtMs > told.atMs) return page
  if (told.sync.complete) return readNewest(app, parameters)
  return told.sync.progress > page.sync.progress ? { ...page, sync: told.sync } : page
}

/** Reads an account's newest transactions and puts them before the known transactions. */
export async function refreshHistory(app: App, { address, chainId }: AccountScope): Promise<void> {
  const client = getQueryClient(app)
  const { queryKey } = historyQuery(app, { address, chainId })
  const query = findQuery(app, { address, chainId })
  // Nothing is loaded yet, so the first load gets the newest.
  if (!query) return
  // A page that is still loading would restore the old rows.
  await query.promise?.catch(() => {})
  const askedAtMs = performance.now()
  const newest = await readNewest(app, { address, chainId })
  await query.promise?.catch(() => {})
  // A later request has already been answered.
  if (askedAtMs < (refreshedAtMs.get(query) ?? 0)) return
  refreshedAtMs.set(query, askedAtMs)
  const known = client.getQueryData(queryKey)
  const isWhole = newest.sync?.complete !== false
  const pages = known && isWhole ? mergeHistoryPages(known.pages, newest) : undefined
  // The server may also have found older transactions while it is still searching.
  if (!pages) return client.invalidateQueries({ queryKey })
  const pageParams = pages.map((_, index) => pages[index - 1]?.next)
  client.setQueryData(queryKey, { pages: [...pages], pageParams })
}

/** Writes the progress of the server's search from an event. */
export function setHistorySync(app: App, parameters: AccountScope & { sync: HistorySync }): void {
  const { sync } = parameters
  const query = findQuery(app, parameters)
  if (query) toldProgress.set(query, { sync, atMs: performance.now() })
  const { queryKey } = historyQuery(app, parameters)
  getQueryClient(app).setQueryData(queryKey, (known) => {
    const [first, ...rest] = known?.pages ?? []
    return known && first && { ...known, pages: [{ ...first, sync }, ...rest] }
  })
}
