import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { historyQuery, refreshHistory, setHistorySync } from '../app/accountQueries.ts'
import { getQueryClient } from '../app/queries.ts'
import { useApp } from '../app/useApp.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'
import { useAccount } from './useAccount.ts'
import { useNetwork } from './useNetwork.ts'

/**
 * The account's transactions on the selected network, newest first, each once; new ones appear by themselves. `isEmpty`
 * also where they could not be fetched. `sync` tells how far the server's looking has come.
 */
export function useActivity() {
  const app = useApp()
  const { address } = useAccount()
  const chainId = useNetwork().network.caipNetworkId
  const query = useInfiniteQuery(historyQuery(app, { address, chainId }), getQueryClient(app))
  const { data, error } = query
  useEffect(() => {
    const { queryKey } = historyQuery(app, { address, chainId })
    // Seen before: what came since stands on top, and the later pages are not read again.
    if (getQueryClient(app).getQueryData(queryKey))
      refreshHistory(app, { address, chainId }).catch(() => {})
  }, [app, address, chainId])
  useActivityNews((news) => {
    if (news.chainId !== chainId || news.address !== address) return
    if (news.type === 'sync') return setHistorySync(app, { address, chainId, sync: news.sync })
    // What cannot be read now is read at the next news.
    return refreshHistory(app, { address, chainId })
  })
  const transactions = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.transactions)
    return all && [...new Map(all.map((transaction) => [transaction.id, transaction])).values()]
  }, [data])
  const sync = data?.pages[0]?.sync
  // Where the server still looks, its news tell that there is more; asking again and again would not.
  const isWaiting = sync?.complete === false && data?.pages.at(-1)?.transactions.length === 0
  return {
    transactions,
    isEmpty: transactions ? transactions.length === 0 : error !== null,
    sync,
    error,
    isPending: query.isPending && address !== undefined,
    isFetching: query.isFetching,
    refetch: query.refetch,
    hasMore: query.hasNextPage && !isWaiting,
    isLoadingMore: query.isFetchingNextPage,
    hasMoreFailed: query.isFetchNextPageError,
    loadMore: query.fetchNextPage,
  }
}
