import type { ChainId, NftDetail } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** One NFT with its description and attributes, and how many of it `owner` holds. Throws what `callApi` throws. */
export const getNft = (
  app: App,
  parameters: {
    chainId: ChainId
    contract: string
    tokenId: string
    owner?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<NftDetail> =>
  attempt(async () => (await import('./readNft.ts')).readNft(app, parameters))
