import { type ChainId, type NftDetail, nftDetail } from '@latchkey/wire'
import type { App } from '../createApp.ts'
import { callApi } from '../server/callApi.ts'
import { withOwnImage } from './readNfts.ts'

/** What `getNft` does. */
export async function readNft(
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
  return withOwnImage(app, await callApi(app, { route: nftDetail, params, query, signal }))
}
