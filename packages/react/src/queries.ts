import {
  type App,
  getAreas,
  getBalances,
  getHistory,
  getNativeBalance,
  getWallets,
  portfolioLifetimeMs,
  prepareSend,
  recommendedEntries,
  type SendParameters,
  waitForTransaction,
  walletPageEntries,
} from '@latchkey/core'
import { type ChainId, type DirectoryWallet, type HistorySync, isError } from '@latchkey/wire'
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { mergeNewest } from './mergeNewest.ts'

/** Milliseconds the directory is good for: it changes with the server's version only. */
const DIRECTORY_LIFETIME_MS = 5 * 60_000
/** Milliseconds a first look at the history is good for when its view is opened again. */
const HISTORY_LIFETIME_MS = 15_000
/** Milliseconds a prepared sending is good for: fees move with each block. */
const PLAN_LIFETIME_MS = 15_000
/** Retries after a first failure, the first after a second, then twice as long each (spec §9). */
const RETRIES = 3
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000
/** Failures that another try cannot mend. */
const LASTING = ['ANSWER_INVALID', 'INVALID_PROJECT_ID', 'INVALID_APP_CONFIGURATION'] as const

const clients = new WeakMap<App, QueryClient>()

/** The one query client of an app; handed to each query, so that no provider of Query's is needed. */
export function queryClientOf(app: App): QueryClient {
  const known = clients.get(app)
  if (known) return known
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // A server on this machine answers without any network.
        networkMode: 'always',
        retry: (failures, error) => failures < RETRIES && !isLasting(error),
        retryDelay: (failures) => Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS),
      },
    },
  })
  clients.set(app, client)
  return client
}

function isLasting(error: unknown): boolean {
  if (isError(error, 'HTTP_FAILED')) return Number(error.data.status) < 500
  return LASTING.some((code) => isError(error, code))
}

/** What the Connect view shows of the directory: the recommended wallets and how many there are. */
export const recommendedQuery = (app: App) =>
  queryOptions({
    queryKey: ['wallets', 'recommended'],
    queryFn: async ({ signal }) => {
      const { featuredWalletIds = [] } = app.config
      const [featured, recommended] = await Promise.all([
        featuredWalletIds.length === 0
          ? undefined
          : getWallets(app, { include: featuredWalletIds, signal }),
        getWallets(app, { entries: recommendedEntries + featuredWalletIds.length, signal }),
      ])
      const first = featured?.wallets ?? []
      const rest = recommended.wallets.filter(({ id }) => !first.some((wallet) => wallet.id === id))
      return {
        count: recommended.count,
        wallets: [...first, ...rest].slice(0, Math.max(recommendedEntries, first.length)),
      }
    },
    enabled: app.config.enableWallets !== false,
    staleTime: DIRECTORY_LIFETIME_MS,
  })

/** All wallets, 40 a page; a search asks the server once for up to 100. */
export const walletsQuery = (app: App, { search }: { search: string }) =>
  infiniteQueryOptions({
    queryKey: ['wallets', 'all', search],
    queryFn: ({ pageParam, signal }) =>
      getWallets(app, search === '' ? { page: pageParam, signal } : { search, signal }),
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
      (await getWallets(app, { include: [walletId], signal })).wallets[0] ?? null,
    initialData: () => knownWallet(app, walletId),
    staleTime: DIRECTORY_LIFETIME_MS,
  })

/** A wallet that came with a list before. */
function knownWallet(app: App, walletId: string): DirectoryWallet | undefined {
  type List = { wallets: readonly DirectoryWallet[] }
  const client = queryClientOf(app)
  const one = client.getQueryData<List>(['wallets', 'recommended'])
  const pages = client.getQueriesData<{ pages: List[] }>({ queryKey: ['wallets', 'all'] })
  return [...(one ? [one] : []), ...pages.flatMap(([, data]) => data?.pages ?? [])]
    .flatMap(({ wallets }) => wallets)
    .find(({ id }) => id === walletId)
}

type Holder = { address: string | undefined; chainId: ChainId }

/** What an account holds on a network, native first. */
export const balancesQuery = (app: App, { address, chainId }: Holder) =>
  queryOptions({
    queryKey: ['balances', chainId, address],
    queryFn: ({ signal }) => getBalances(app, { address: address ?? '', chainId, signal }),
    enabled: address !== undefined,
    staleTime: portfolioLifetimeMs,
    refetchInterval: portfolioLifetimeMs,
  })

/** Which areas the server has for a network; the table is asked for once in the page's life. */
export const areasQuery = (app: App, { chainId }: { chainId: ChainId }) =>
  queryOptions({
    queryKey: ['areas', chainId],
    queryFn: () => getAreas(app, { chainId }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** An account's transactions on a network; what is new comes by {@link refreshHistory}, not by reading all again. */
export const historyQuery = (app: App, { address, chainId }: Holder) =>
  infiniteQueryOptions({
    queryKey: ['history', chainId, address],
    queryFn: ({ pageParam, signal }) =>
      getHistory(app, { address, chainId, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: address !== undefined,
    staleTime: HISTORY_LIFETIME_MS,
    refetchOnWindowFocus: false,
    retry: false,
  })

/** Reads an account's newest transactions and puts them before those that are known. */
export async function refreshHistory(app: App, { address, chainId }: Holder): Promise<void> {
  const client = queryClientOf(app)
  const { queryKey } = historyQuery(app, { address, chainId })
  const query = client.getQueryCache().find({ queryKey })
  // Nobody has looked yet: who does will see the newest.
  if (!query) return
  // A page that is on its way would put the old ones back.
  await query.promise?.catch(() => {})
  const newest = await getHistory(app, { address, chainId })
  await query.promise?.catch(() => {})
  const known = client.getQueryData(queryKey)
  const isWhole = newest.sync?.complete !== false
  const pages = known && isWhole ? mergeNewest(known.pages, newest) : undefined
  // Older ones may have been found too while the server still looks.
  if (!pages) return client.invalidateQueries({ queryKey })
  const pageParams = pages.map((_, index) => pages[index - 1]?.next)
  client.setQueryData(queryKey, { pages: [...pages], pageParams })
}

/** Writes how far the server's looking has come. */
export function writeSync(app: App, parameters: Holder & { sync: HistorySync }): void {
  const { queryKey } = historyQuery(app, parameters)
  queryClientOf(app).setQueryData(queryKey, (known) => {
    const [first, ...rest] = known?.pages ?? []
    return known && first && { ...known, pages: [{ ...first, sync: parameters.sync }, ...rest] }
  })
}

/** A checked sending with its fee; errors are a person's to mend, so it is not retried. */
export const planQuery = (app: App, parameters: Holder & { sending: SendParameters | undefined }) =>
  queryOptions({
    queryKey: ['plan', parameters.chainId, parameters.address, parameters.sending],
    queryFn: () => {
      if (!parameters.sending) throw new Error('A disabled query has run')
      return prepareSend(app, parameters.sending)
    },
    enabled: parameters.sending !== undefined && parameters.address !== undefined,
    staleTime: PLAN_LIFETIME_MS,
    gcTime: 0,
    refetchInterval: PLAN_LIFETIME_MS,
    // A plan carries a function; it is taken whole or not at all.
    structuralSharing: false,
    retry: false,
    refetchOnWindowFocus: false,
  })

/** How a transaction ended. */
export const transactionQuery = (app: App, { hash, chainId }: { hash: string; chainId: ChainId }) =>
  queryOptions({
    queryKey: ['transaction', chainId, hash],
    queryFn: ({ signal }) => waitForTransaction(app, { hash, chainId, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Asks for an account's balances again, past every cache, as after a sending. */
export async function refreshBalances(app: App, { address, chainId }: Holder): Promise<void> {
  if (address === undefined) return
  const client = queryClientOf(app)
  const [balances] = await Promise.all([
    getBalances(app, { address, chainId, forceUpdate: true }),
    getNativeBalance(app, { address, chainId, forceUpdate: true }),
  ])
  client.setQueryData(balancesQuery(app, { address, chainId }).queryKey, balances)
}
