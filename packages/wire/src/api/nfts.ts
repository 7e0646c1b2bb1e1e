import * as z from 'zod/mini'
import { historySync } from './history.ts'
import type { Route } from './route.ts'

const text = z.nullable(z.string())

/**
 * An NFT. `address` is its contract (CAIP-10), `tokenId` and `quantity` are decimal strings.
 * `imageUrl` is a route of the same server, null if the metadata has no image; `metadata` states
 * whether the metadata could be read.
 */
export const nft = z.object({
  address: z.string(),
  tokenId: z.string(),
  standard: z.enum(['erc721', 'erc1155']),
  quantity: z.string(),
  name: text,
  collection: z.object({ name: text, symbol: text }),
  imageUrl: text,
  metadata: z.enum(['ready', 'pending', 'failed', 'none']),
  isSpam: z.boolean(),
})
export type Nft = z.infer<typeof nft>

/**
 * `GET /v1/account/{address}/nfts`: the NFTs that the account holds now on one network, up to 50.
 */
export const accountNftsRoute = {
  method: 'GET',
  path: '/v1/account/:address/nfts',
  query: z.object({
    projectId: z.string(),
    chainId: z.string(),
    cursor: z.optional(z.string()),
  }),
  result: z.object({ data: z.array(nft), next: text, sync: z.optional(historySync) }),
} as const satisfies Route

/**
 * `GET /v1/nft/{chainId}/{contract}/{tokenId}`: one NFT with all its metadata; `owner` adds how
 * many of it the account holds.
 */
export const nftDetailRoute = {
  method: 'GET',
  path: '/v1/nft/:chainId/:contract/:tokenId',
  query: z.object({ projectId: z.string(), owner: z.optional(z.string()) }),
  result: z.extend(nft, {
    description: text,
    externalUrl: text,
    attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
} as const satisfies Route
export type NftDetail = z.infer<typeof nftDetailRoute.result>

/** `GET …/image`: the picture itself, fetched by the server and safe to show in an `img`. */
export const nftImagePath = '/v1/nft/:chainId/:contract/:tokenId/image'
