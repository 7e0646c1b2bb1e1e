import { type ChainId, type DirectoryWallet, getWallets as route } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { callApi } from '../server/callApi.ts'

/** Wallets a page. */
export const walletPageEntries = 40
/** Recommended wallets: page 1 with this many. */
export const recommendedEntries = 4
/** Wallets of a search. */
export const searchEntries = 100
/** Images of a page that are fetched ahead. */
export const prefetchedImages = 20
/** Milliseconds a search waits at least. */
export const searchWaitMs = 300

/**
 * Wallets of the directory. `count` counts all that match. Pages start at 1. A search is trimmed and gets 100 entries, a
 * list 40, by default. The app's networks and its include and exclude lists apply by default. Errors as {@link callApi}.
 */
export const getWallets = (
  app: App,
  parameters: {
    page?: number
    entries?: number
    search?: string
    include?: readonly string[]
    exclude?: readonly string[]
    chains?: readonly ChainId[]
    signal?: AbortSignal | undefined
  } = {},
): Promise<{ count: number; wallets: readonly DirectoryWallet[] }> =>
  attempt(async () => {
    const { config, store } = app
    const search = parameters.search?.trim() || undefined
    const { page = 1, entries = search ? searchEntries : walletPageEntries } = parameters
    const { count, data } = await callApi(app, {
      route,
      query: {
        page: String(page),
        entries: String(entries),
        search,
        include: joined(parameters.include ?? config.includeWalletIds),
        exclude: joined(parameters.exclude ?? config.excludeWalletIds),
        chains: joined(
          parameters.chains ?? store.getState().networks.map(({ caipNetworkId }) => caipNetworkId),
        ),
      },
      signal: parameters.signal,
    })
    return { count, wallets: data }
  })

const joined = (ids: readonly string[] | undefined) => (ids?.length ? ids.join(',') : undefined)
