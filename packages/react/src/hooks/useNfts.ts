import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { nftsQuery, refreshNfts } from '../app/queries/nftQueries.ts'
import { getQueryClient } from '../app/queries/queries.ts'
import { useAccountScope } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'
import type { DataOptions } from './dataOptions.ts'

/**
 * The NFTs of an account on a network, by default the connected account on the selected network,
 * without duplicates. New NFTs appear automatically.
 */
export function useNfts({ query: control, ...holder }: DataOptions = {}) {
  const app = useApp()
  const { address, chainId } = useAccountScope(holder)
  const enabled = address !== undefined && control?.enabled !== false
  const query = useInfiniteQuery(
    { ...nftsQuery(app, { address, chainId }), ...control, enabled },
    getQueryClient(app),
  )
  const { data } = query
  useActivityNews((news) => {
    if (news.type !== 'changed' || news.chainId !== chainId) return
    // If it fails now, the next event reads it.
    return refreshNfts(app, { chainId })
  })
  const nfts = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.nfts)
    return all && [...new Map(all.map((nft) => [`${nft.address}/${nft.tokenId}`, nft])).values()]
  }, [data])
  return {
    data: nfts,
    error: query.error,
    status: query.status,
    isPending: query.isPending,
    isLoading: query.isLoading,
    isFetching: query.isFetching,
    refetch: query.refetch,
    fetchNextPage: query.fetchNextPage,
    hasNextPage: query.hasNextPage,
    isFetchingNextPage: query.isFetchingNextPage,
    isFetchNextPageError: query.isFetchNextPageError,
    /** Whether the account's whole history is indexed. */
    isComplete: data?.pages[0]?.isComplete ?? true,
  }
}
