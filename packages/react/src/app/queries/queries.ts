import {
  type App,
  canRetry,
  directoryLifetimeMs,
  findListedWallet,
  getCustomWallets,
  getWallets,
  prefetchImages,
  retryDelayMs,
  walletPageEntries,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import {
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  queryOptions,
} from '@tanstack/react-query'
import { ownClients } from './ownClients.ts'

const clients = new WeakMap<App, QueryClient>()

/**
 * The query client of an app: the client passed to the provider, or our default client. Each query
 * gets it explicitly, so that no QueryClientProvider is needed. All query keys begin with
 * `latchkey`.
 */
export function getQueryClient(app: App): QueryClient {
  const known = clients.get(app)
  if (known) return known
  const client = ownClients.get(app) ?? new QueryClient()
  client.setQueryDefaults(['latchkey'], {
    // A server on this machine is reachable without a network.
    networkMode: 'always',
    retry: canRetry,
    retryDelay: retryDelayMs,
  })
  clients.set(app, client)
  return client
}

/**
 * Observes a query without the hooks of TanStack Query; off until it is enabled. Re-renders only if
 * the selected data changes.
 */
export const observeQuery = <Data, Key extends QueryKey>(
  app: App,
  options: QueryObserverOptions<Data, Error, Data, Data, Key>,
): QueryObserver<Data, Error, Data, Data, Key> =>
  new QueryObserver(getQueryClient(app), {
    ...options,
    enabled: false,
    notifyOnChangeProps: ['data', 'isError', 'isPending'],
  })

/** All wallets, 40 per page; a search requests up to 100 at once. */
export const walletsQuery = (app: App, { search }: { search: string }) =>
  infiniteQueryOptions({
    queryKey: ['latchkey', 'wallets', 'all', search],
    queryFn: async ({ pageParam, signal }) => {
      const page = search === '' ? { page: pageParam, signal } : { search, signal }
      const list = await getWallets(app, page)
      prefetchImages(app, list.wallets)
      return list
    },
    initialPageParam: 1,
    getNextPageParam: ({ count }, pages) =>
      search === '' && pages.length * walletPageEntries < count ? pages.length + 1 : undefined,
    staleTime: directoryLifetimeMs,
  })

/** A wallet of the directory. */
export const walletQuery = (app: App, { walletId }: { walletId: string }) =>
  queryOptions({
    queryKey: ['latchkey', 'wallets', 'one', walletId],
    queryFn: async ({ signal }) =>
      getCustomWallets(app).find(({ id }) => id === walletId) ??
      (await getWallets(app, { include: [walletId], signal })).wallets[0] ??
      null,
    initialData: () => findListedWallet(app, walletId) ?? findLoadedWallet(app, walletId),
    staleTime: directoryLifetimeMs,
  })

/** A wallet of the pages and searches that were loaded before. */
function findLoadedWallet(app: App, walletId: string): DirectoryWallet | undefined {
  type List = { wallets: readonly DirectoryWallet[] }
  return getQueryClient(app)
    .getQueriesData<{ pages: List[] }>({ queryKey: ['latchkey', 'wallets', 'all'] })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ wallets }) => wallets)
    .find(({ id }) => id === walletId)
}
