import {
  type App,
  activeConnection,
  getCustomWallets,
  getSavedWallets,
  getWallets,
  isConnected,
  prefetchedImages,
  recommendedEntries,
  saveWallets,
  searchEntries,
  walletImageUrl,
  walletPageEntries,
} from '@latchkey/core'
import { type DirectoryWallet, isError } from '@latchkey/wire'
import {
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  queryOptions,
} from '@tanstack/react-query'

/** Milliseconds that the directory stays fresh: it changes only with the server's version. */
const DIRECTORY_LIFETIME_MS = 5 * 60_000
/** Retries after a first failure, the first after a second, then twice as long each. */
const RETRIES = 3
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000
/** Failures that a retry cannot fix. */
const LASTING = ['ANSWER_INVALID', 'INVALID_PROJECT_ID', 'INVALID_APP_CONFIGURATION'] as const

const clients = new WeakMap<App, QueryClient>()

/** The query client of an app, passed to each query explicitly, so that no QueryClientProvider is needed. */
export function getQueryClient(app: App): QueryClient {
  const known = clients.get(app)
  if (known) return known
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // A server on this machine is reachable without a network.
        networkMode: 'always',
        retry: (failures, error) => failures < RETRIES && !isLasting(error),
        retryDelay: (failures) => Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS),
      },
    },
  })
  clients.set(app, client)
  return client
}

/** Follows a query where the hooks of Query are not loaded; off until it is enabled. Re-renders only for what is drawn. */
export const observeQuery = <Data, Key extends QueryKey>(
  app: App,
  options: QueryObserverOptions<Data, Error, Data, Data, Key>,
): QueryObserver<Data, Error, Data, Data, Key> =>
  new QueryObserver(getQueryClient(app), {
    ...options,
    enabled: false,
    notifyOnChangeProps: ['data', 'isError', 'isPending'],
  })

function isLasting(error: unknown): boolean {
  if (isError(error, 'HTTP_FAILED')) return Number(error.data.status) < 500
  return LASTING.some((code) => isError(error, code))
}

/**
 * What the Connect view shows of the directory: the recommended wallets and the number of all wallets. Shows those
 * of the last visit until the server has answered.
 */
export const recommendedQuery = (app: App) =>
  queryOptions({
    queryKey: ['wallets', 'recommended'],
    queryFn: async ({ signal }) => {
      const { featuredWalletIds = [] } = app.config
      const [featured, recommended] = await Promise.all([
        featuredWalletIds.length === 0
          ? undefined
          : getWallets(app, {
              include: featuredWalletIds,
              entries: Math.min(featuredWalletIds.length, searchEntries),
              signal,
            }),
        // As many as are left if all that are featured are among them.
        getWallets(app, { entries: recommendedEntries + featuredWalletIds.length, signal }),
      ])
      const first = featured?.wallets ?? []
      const rest = recommended.wallets.filter(({ id }) => !first.some((wallet) => wallet.id === id))
      const list = {
        count: recommended.count,
        wallets: [...first, ...rest.slice(0, recommendedEntries)],
      }
      saveWallets(app, list)
      prefetchImages(app, list.wallets)
      return list
    },
    initialData: () => getSavedWallets(app),
    initialDataUpdatedAt: 0,
    enabled: app.config.enableWallets !== false,
    staleTime: DIRECTORY_LIFETIME_MS,
  })

/** Requests the directory's first wallets ahead of the click, once, unless a wallet is connected. */
export function prefetchRecommended(app: App): void {
  if (app.config.enableWallets === false) return
  if (isConnected(activeConnection(app.store.getState()))) return
  const client = getQueryClient(app)
  const query = recommendedQuery(app)
  const { dataUpdateCount = 0, errorUpdateCount = 0 } = client.getQueryState(query.queryKey) ?? {}
  if (dataUpdateCount + errorUpdateCount === 0) void client.prefetchQuery(query)
}

/** Loads the first images of a list while it is drawn; images below the fold load on scroll. */
function prefetchImages(app: App, wallets: readonly DirectoryWallet[]) {
  for (const { image_id } of wallets.slice(0, prefetchedImages))
    new Image().src = walletImageUrl(app, image_id)
}

/** All wallets, 40 per page; a search requests up to 100 at once. */
export const walletsQuery = (app: App, { search }: { search: string }) =>
  infiniteQueryOptions({
    queryKey: ['wallets', 'all', search],
    queryFn: async ({ pageParam, signal }) => {
      const page = search === '' ? { page: pageParam, signal } : { search, signal }
      const list = await getWallets(app, page)
      prefetchImages(app, list.wallets)
      return list
    },
    initialPageParam: 1,
    getNextPageParam: ({ count }, pages) =>
      search === '' && pages.length * walletPageEntries < count ? pages.length + 1 : undefined,
    staleTime: DIRECTORY_LIFETIME_MS,
  })

/** One wallet of the directory. */
export const walletQuery = (app: App, { walletId }: { walletId: string }) =>
  queryOptions({
    queryKey: ['wallets', 'one', walletId],
    queryFn: async ({ signal }) =>
      findCustomWallet(app, walletId) ??
      (await getWallets(app, { include: [walletId], signal })).wallets[0] ??
      null,
    initialData: () => findCustomWallet(app, walletId) ?? knownWallet(app, walletId),
    staleTime: DIRECTORY_LIFETIME_MS,
  })

const findCustomWallet = (app: App, walletId: string) =>
  getCustomWallets(app).find(({ id }) => id === walletId)

/** A wallet from a list that was loaded before. */
function knownWallet(app: App, walletId: string): DirectoryWallet | undefined {
  type List = { wallets: readonly DirectoryWallet[] }
  const client = getQueryClient(app)
  const one = client.getQueryData<List>(['wallets', 'recommended'])
  const pages = client.getQueriesData<{ pages: List[] }>({ queryKey: ['wallets', 'all'] })
  return [...(one ? [one] : []), ...pages.flatMap(([, data]) => data?.pages ?? [])]
    .flatMap(({ wallets }) => wallets)
    .find(({ id }) => id === walletId)
}
