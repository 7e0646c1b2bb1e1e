import {
  type AccountOnNetworks,
  type App,
  awaitsOwners,
  formatAddress,
  getAreas,
  getBalances,
  getCallsCapabilities,
  getCallsStatus,
  getNativeBalance,
  getPendingTransactions,
  getPortfolio,
  isFinal,
  portfolioLifetimeMs,
  prepareReviewedSend,
  type SendParameters,
  waitForTransaction,
} from '@latchkey/core/internal'
import { type ChainId, isError, type Namespace, parseChainId } from '@latchkey/wire'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { planOptions } from './planOptions.ts'
import { getQueryClient } from './queries.ts'

// Not in queries.ts, which loads with the Connect view.

/** Retries after reading a transaction has failed. */
const RETRIES = 3
/** How often to check whether a block is final, which takes minutes on most networks. */
const FINAL_POLL_MS = 12_000

/** An account on a network. */
export type AccountScope = { address: string | undefined; chainId: ChainId }

/** The balances of an account on a network, native first. */
export const balancesQuery = (app: App, { address, chainId }: AccountScope) =>
  queryOptions({
    queryKey: ['latchkey', 'balances', chainId, address],
    queryFn: ({ signal }) => getBalances(app, { address: address ?? '', chainId, signal }),
    enabled: address !== undefined,
    staleTime: portfolioLifetimeMs,
    refetchInterval: portfolioLifetimeMs,
  })

/** The balances of an account on networks of its namespace. */
export const portfolioQuery = (app: App, { address, chainIds }: AccountOnNetworks) =>
  queryOptions({
    queryKey: ['latchkey', 'portfolio', address, ...chainIds],
    queryFn: ({ signal }) => getPortfolio(app, { address, chainIds, signal }),
    staleTime: portfolioLifetimeMs,
    refetchInterval: portfolioLifetimeMs,
  })

// The table is requested once per page load.
const areaTable = (app: App) => ({
  queryKey: ['latchkey', 'areas'],
  queryFn: () => getAreas(app),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Which areas the server has for each network. */
export const allAreasQuery = (app: App) => queryOptions(areaTable(app))

/** Which areas the server has for a network. */
export const areasQuery = (app: App, { chainId }: { chainId: ChainId }) =>
  queryOptions({ ...areaTable(app), select: (areasOf) => areasOf(chainId) })

/** A checked transfer with its fee. Its errors are for the user to fix, so it is not retried. */
export const planQuery = (
  app: App,
  { address, chainId, sending }: AccountScope & { sending: SendParameters | undefined },
) =>
  queryOptions({
    queryKey: ['latchkey', 'plan', chainId, address, sending],
    queryFn: sending && address ? () => prepareReviewedSend(app, sending) : skipToken,
    ...planOptions,
  })

/** The first and the longest pause between two reads of an unfinished batch. */
const CALLS_POLL_MS = 1_000
const CALLS_POLL_MAX_MS = 15_000

/** The connected wallet's batch capabilities, which depend on the type of the account. */
export const capabilitiesQuery = (
  app: App,
  { address, chainId, type }: AccountScope & { type: string | undefined },
) =>
  queryOptions({
    queryKey: ['latchkey', 'capabilities', chainId, address, type],
    queryFn: () => getCallsCapabilities(app),
    retry: false,
    enabled: address !== undefined,
    staleTime: portfolioLifetimeMs,
  })

/** The status of a batch of calls. */
export const callsQuery = (app: App, { id, namespace }: { id: string; namespace: Namespace }) =>
  queryOptions({
    queryKey: ['latchkey', 'calls', namespace, id],
    queryFn: () => getCallsStatus(app, { id, namespace }),
    retry: RETRIES,
    staleTime: CALLS_POLL_MS,
    refetchInterval: ({ state }) => {
      if (state.data?.status !== 'pending') return false
      return Math.min(CALLS_POLL_MAX_MS, CALLS_POLL_MS * Math.max(1, state.dataUpdateCount / 10))
    },
  })

/** A transaction and the account that sent it. */
type TransactionReference = AccountScope & { hash: string }

/** The outcome of a transaction. */
export const transactionQuery = (app: App, { hash, chainId, address }: TransactionReference) =>
  queryOptions({
    queryKey: ['latchkey', 'transaction', chainId, hash],
    queryFn: ({ signal }) => waitForTransaction(app, { hash, chainId, address, signal }),
    retry: (failures, error) => failures < RETRIES && !isError(error, 'TRANSACTION_EXPIRED'),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The account's pending transactions that the embedded wallet can replace for this page. */
export const pendingQuery = (app: App, { chainId, address }: AccountScope) =>
  queryOptions({
    queryKey: ['latchkey', 'pending', chainId, address],
    queryFn: () => getPendingTransactions(app, { chainId }),
    enabled: address !== undefined,
    refetchInterval: FINAL_POLL_MS,
    retry: false,
  })

/**
 * Whether owners of the account may still have to confirm a transaction; polls while that is so.
 */
export const ownersQuery = (app: App, { hash, chainId, address = '' }: TransactionReference) =>
  queryOptions({
    queryKey: ['latchkey', 'owners', chainId, hash],
    queryFn: () => awaitsOwners(app, { hash, chainId, address }),
    enabled: address !== '',
    refetchInterval: ({ state }) => (state.data ? FINAL_POLL_MS : false),
  })

/** Whether a transaction's block is final; polls until it is. */
export const finalQuery = (app: App, { hash, chainId }: { hash: string; chainId: ChainId }) =>
  queryOptions({
    queryKey: ['latchkey', 'final', chainId, hash],
    queryFn: () => isFinal(app, { hash, chainId }),
    refetchInterval: ({ state }) => (state.data ? false : FINAL_POLL_MS),
  })

/** An address with its checksum, for display only. */
export const formattedAddressQuery = (
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
) =>
  queryOptions({
    queryKey: ['latchkey', 'written', chainId, address],
    queryFn: () => formatAddress(app, { address, namespace: parseChainId(chainId).namespace }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Refetches an account's balances and bypasses every cache, for example after a transfer. */
export async function refreshBalances(app: App, { address, chainId }: AccountScope): Promise<void> {
  if (address === undefined) return
  const client = getQueryClient(app)
  const [balances] = await Promise.all([
    getBalances(app, { address, chainId, forceUpdate: true }),
    getNativeBalance(app, { address, chainId, forceUpdate: true }),
  ])
  client.setQueryData(balancesQuery(app, { address, chainId }).queryKey, balances)
}
