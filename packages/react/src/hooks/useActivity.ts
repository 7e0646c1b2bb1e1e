import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { historyQuery, refreshHistory, setHistorySync } from '../app/history/historyQueries.ts'
import { getQueryClient } from '../app/queries/queries.ts'
import { useAccountScope } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'
import type { DataOptions } from './dataOptions.ts'

/**
 * The transactions of an account on a network, by default the connected account on the selected
 * network: newest first and without duplicates. New transactions appear automatically. `isEmpty` is
 * also true if they could not be fetched. `sync` is the progress of the server's search.
 */
export function useActivity({ query: control, ...holder }: DataOptions = {}) {
  const app = useApp()
  const { address, chainId } = useAccountScope(holder)
  const enabled = address !== undefined && control?.enabled !== false
  const query = useInfiniteQuery(
    { ...historyQuery(app, { address, chainId }), ...control, enabled },
    getQueryClient(app),
  )
  const { data, error } = query
  useEffect(() => {
    const { queryKey } = historyQuery(app, { address, chainId })
    // Loaded before: put newer rows on top, and do not refetch later pages.
    if (getQueryClient(app).getQueryData(queryKey))
      refreshHistory(app, { address, chainId }).catch(() => {})
  }, [app, address, chainId])
  useActivityNews((news) => {
    if (news.chainId !== chainId || news.address !== address) return
    if (news.type === 'sync') return setHistorySync(app, { address, chainId, sync: news.sync })
    // If it fails now, the next event reads it.
    return refreshHistory(app, { address, chainId })
  })
  const transactions = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.transactions)
    return all && [...new Map(all.map((transaction) => [transaction.id, transaction])).values()]
  }, [data])
  const sync = data?.pages[0]?.sync
  // While the server still searches, its events announce more; polling would not help.
  const isWaiting = sync?.complete === false && data?.pages.at(-1)?.transactions.length === 0
  return {
    data: transactions,
    error,
    status: query.status,
    isPending: query.isPending,
    isLoading: query.isLoading,
    isFetching: query.isFetching,
    refetch: query.refetch,
    fetchNextPage: query.fetchNextPage,
    hasNextPage: query.hasNextPage && !isWaiting,
    isFetchingNextPage: query.isFetchingNextPage,
    isFetchNextPageError: query.isFetchNextPageError,
    isEmpty: transactions ? transactions.length === 0 : error !== null,
    sync,
  }
}
