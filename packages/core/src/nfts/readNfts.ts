import { accountNfts, type ChainId, type Nft } from '@latchkey/wire'
import type { App } from '../createApp.ts'
import { callApi } from '../server/callApi.ts'
import { readOnce } from '../server/readOnce.ts'
import { serverImageUrl } from '../server/serverImageUrl.ts'
import type { NftPage } from './getNfts.ts'

/** What `getNfts` does. */
export async function readNfts(
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    cursor?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<NftPage> {
  const { address, chainId, cursor, signal } = parameters
  const work = () =>
    callApi(app, { route: accountNfts, params: { address }, query: { chainId, cursor } })
  const key = `nfts ${chainId}:${address} ${cursor ?? ''}`
  const { data, next, sync } = await readOnce(app, { key, work, signal })
  return {
    nfts: data.map((nft) => withOwnImage(app, nft)),
    next,
    isComplete: sync?.complete ?? true,
  }
}

/** The same NFT without a picture that is not our server's. */
export const withOwnImage = <Given extends Nft>(app: App, nft: Given): Given => ({
  ...nft,
  imageUrl: serverImageUrl(app, nft.imageUrl) ?? null,
})
