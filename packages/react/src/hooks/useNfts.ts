import type { Namespace } from '@latchkey/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { nftsQuery, refreshNfts } from '../app/nftQueries.ts'
import { getQueryClient } from '../app/queries.ts'
import { useApp } from '../app/useApp.ts'
import { useHolder } from '../app/useHolder.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'

/** The NFTs of a namespace's account, the active one unless set, on its network, without duplicates; new ones appear automatically. */
export function useNfts({ namespace }: { namespace?: Namespace } = {}) {
  const app = useApp()
  const { address, chainId } = useHolder({ namespace })
  const query = useInfiniteQuery(nftsQuery(app, { address, chainId }), getQueryClient(app))
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
    nfts,
    /** Whether the server knows the account's whole history. */
    isComplete: data?.pages[0]?.isComplete ?? true,
    error: query.error,
    isPending: query.isPending && address !== undefined,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: query.fetchNextPage,
  }
}
