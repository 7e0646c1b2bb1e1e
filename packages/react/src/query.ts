/**
 * Options of TanStack Query for the data that the hooks read: for prefetching, for
 * `useSuspenseQuery`, and for components on a server. Pass the same client to `LatchkeyProvider` as
 * `queryClient`.
 */

export { historyQuery as activityQueryOptions } from './app/history/historyQueries.ts'
export {
  areasQuery as featuresQueryOptions,
  balancesQuery as balancesQueryOptions,
  callsQuery as callsStatusQueryOptions,
  transactionQuery as transactionQueryOptions,
} from './app/queries/accountQueries.ts'
export { allowancesQuery as allowancesQueryOptions } from './app/queries/allowanceQueries.ts'
export { ownNamesQuery as namesQueryOptions } from './app/queries/nameQueries.ts'
export {
  nameQuery as nameQueryOptions,
  nftQuery as nftQueryOptions,
  nftsQuery as nftsQueryOptions,
} from './app/queries/nftQueries.ts'
export {
  priceHistoryQuery as priceHistoryQueryOptions,
  valueHistoryQuery as valueHistoryQueryOptions,
} from './app/queries/priceQueries.ts'
