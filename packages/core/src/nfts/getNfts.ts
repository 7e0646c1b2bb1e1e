import {
  accountNftsRoute,
  type ChainId,
  type Nft,
  type NftDetail,
  nftDetailRoute,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { serverImageUrl } from '../server/imageUrl.ts'
import { type AccountPageParameters, readAccountPage } from '../server/readAccountPage.ts'

/**
 * A page of an account's NFTs; `isComplete` tells whether the account's whole history is indexed.
 */
export type NftPage = { nfts: readonly Nft[]; next: string | null; isComplete: boolean }

/**
 * The NFTs of an account on a network, up to 50 from a cursor. Throws the errors of `callRoute`.
 */
export async function getNfts(app: App, parameters: AccountPageParameters): Promise<NftPage> {
  const { data, ...page } = await readAccountPage(app, accountNftsRoute, parameters)
  return { nfts: data.map((nft) => withOwnImage(app, nft)), ...page }
}

/**
 * An NFT with its description and attributes, and how many of it `owner` holds. Throws the errors
 * of `callRoute`.
 */
export async function getNft(
  app: App,
  parameters: {
    chainId: ChainId
    contract: string
    tokenId: string
    owner?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<NftDetail> {
  const { chainId, contract, tokenId, owner, signal } = parameters
  const params = { chainId, contract, tokenId }
  const query = { owner }
  return withOwnImage(app, await callRoute(app, { route: nftDetailRoute, params, query, signal }))
}

/** The same NFT, without its picture if that is not on our server. */
const withOwnImage = <OneNft extends Nft>(app: App, nft: OneNft): OneNft => ({
  ...nft,
  imageUrl: serverImageUrl(app, nft.imageUrl) ?? null,
})
