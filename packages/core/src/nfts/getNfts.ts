import type { ChainId, Nft } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** A page of an account's NFTs; `isComplete` says whether the server knows all of the account's past. */
export type NftPage = { nfts: readonly Nft[]; next: string | null; isComplete: boolean }

/** The NFTs that an account holds on a network, up to 50 from a cursor. Throws what `callApi` throws. */
export const getNfts = (
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    cursor?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<NftPage> =>
  attempt(async () => (await import('./readNfts.ts')).readNfts(app, parameters))
