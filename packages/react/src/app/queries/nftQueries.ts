import { type App, getNft, getNfts, type NftRef, resolveName } from '@latchkey/core'
import type { ChainId, Nft } from '@latchkey/wire'
import {
  infiniteQueryOptions,
  type Query,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { getQueryClient } from './queries.ts'

/** How long a list of NFTs stays fresh. */
const NFTS_LIFETIME_MS = 30_000
/** The polling interval while the server fetches metadata; the server ends that itself. */
const PENDING_POLL_MS = 3_000
/** How long a name stays fresh. */
const NAME_LIFETIME_MS = 5 * 60_000
/** How long a name stays fresh while the user reviews a transfer. */
const NAME_NOW_MS = 15_000

type AccountScope = { address: string | undefined; chainId: ChainId }

const isPending = ({ metadata }: Pick<Nft, 'metadata'>) => metadata === 'pending'

/** The NFTs of an account on a network, 50 per page. */
export const nftsQuery = (app: App, { address, chainId }: AccountScope) =>
  infiniteQueryOptions({
    queryKey: ['latchkey', 'nfts', chainId, address],
    queryFn: ({ pageParam, signal }) =>
      getNfts(app, { address: address ?? '', chainId, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: address !== undefined,
    staleTime: NFTS_LIFETIME_MS,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ nfts }) => nfts.some(isPending)) ? PENDING_POLL_MS : false,
  })

/** An NFT with all its metadata and how many of it `owner` holds. */
export const nftQuery = (app: App, { nft, owner }: { nft: NftRef; owner: string | undefined }) =>
  queryOptions({
    queryKey: ['latchkey', 'nft', nft.chainId, nft.contract, nft.tokenId, owner],
    queryFn: ({ signal }) => getNft(app, { ...nft, owner, signal }),
    staleTime: NFTS_LIFETIME_MS,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isPending(state.data) ? PENDING_POLL_MS : false,
  })

/** Refetches the NFTs on a network, for example after a transfer. */
export async function refreshNfts(app: App, { chainId }: { chainId: ChainId }): Promise<void> {
  const client = getQueryClient(app)
  const refresh = async (queryKey: QueryKey) => {
    // A first load would not restart, and its response may be older.
    const loading = client.getQueryCache().findAll({ queryKey, predicate: isFirstLoad })
    await Promise.all(loading.map(({ promise }) => promise?.catch(() => {})))
    await client.invalidateQueries({ queryKey })
  }
  await Promise.all([refresh(['latchkey', 'nfts', chainId]), refresh(['latchkey', 'nft', chainId])])
}

const isFirstLoad = ({ state }: Query) => state.data === undefined && state.fetchStatus !== 'idle'

/** The address of a name on a network. */
export const nameQuery = (app: App, { name, chainId }: { name: string; chainId: ChainId }) =>
  queryOptions({
    queryKey: ['latchkey', 'name', chainId, name],
    queryFn: ({ signal }) => resolveName(app, { name, chainId, signal }),
    staleTime: NAME_LIFETIME_MS,
    retry: false,
  })

/**
 * Resolves a name now, bypassing the caches, and updates the form's value. Undefined without a
 * name.
 */
export const freshNameQuery = (
  app: App,
  { name, chainId }: { name: string | undefined; chainId: ChainId },
) =>
  queryOptions({
    queryKey: ['latchkey', 'name now', chainId, name],
    queryFn: async ({ signal }) => {
      const found = await resolveName(app, { name: name ?? '', chainId, forceUpdate: true, signal })
      if (name) getQueryClient(app).setQueryData(nameQuery(app, { name, chainId }).queryKey, found)
      return found
    },
    enabled: name !== undefined,
    staleTime: NAME_NOW_MS,
    refetchInterval: NAME_NOW_MS,
    gcTime: 0,
    retry: false,
  })
