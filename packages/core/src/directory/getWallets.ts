import { type ChainId, type DirectoryWallet, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { fetchJson } from '../server/fetchJson.ts'
import { walletImageUrl } from '../server/imageUrl.ts'
import type { WalletList } from '../state.ts'
import { fields } from '../storageSchema.ts'
import { noteImageIds } from './imageIds.ts'
import { readWalletList } from './readWalletList.ts'

/** The number of wallets on a page. */
export const walletPageEntries = 40
/** The number of wallets in a search result. */
export const searchEntries = 100
/** The number of images that are preloaded for a page. */
const prefetchedImages = 20
/** How long the directory stays fresh. It changes only with the server's version. */
export const directoryLifetimeMs = 5 * 60_000
/** The minimum duration of a search. */
export const searchWaitMs = 300

/**
 * Wallets of the directory. `count` is the number of all matches. Pages start at 1. The default
 * page size is 100 for a search, whose query is trimmed, and 40 for a list. By default, the app's
 * networks and its include and exclude lists apply. Errors: ANSWER_INVALID, and those from
 * {@link fetchJson}.
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
): Promise<WalletList> =>
  attempt(async () => {
    const { config, store } = app
    const search = parameters.search?.trim() || undefined
    const { page = 1, entries = search ? searchEntries : walletPageEntries } = parameters
    const answer = await fetchJson(app, {
      method: 'GET',
      path: '/getWallets',
      query: {
        page: String(page),
        entries: String(entries),
        search,
        include: joined(parameters.include ?? config.wallets.includedIds),
        exclude: joined(parameters.exclude ?? config.wallets.excludedIds),
        chains: joined(
          parameters.chains ?? store.getState().networks.map(({ caipNetworkId }) => caipNetworkId),
        ),
      },
      signal: parameters.signal,
    })
    const list = readAnswer(answer)
    noteImageIds(app, list.wallets)
    return list
  })

function readAnswer(answer: unknown): WalletList {
  try {
    const { count, data } = fields(answer)
    return readWalletList({ count, wallets: data })
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
}

/** Preloads the first images of a list while it is drawn; images below the fold load on scroll. */
export function prefetchImages(app: App, wallets: readonly DirectoryWallet[]): void {
  if (typeof Image === 'undefined') return
  for (const { image_id } of wallets.slice(0, prefetchedImages))
    new Image().src = walletImageUrl(app, image_id)
}

const joined = (ids: readonly string[] | undefined) => (ids?.length ? ids.join(',') : undefined)
