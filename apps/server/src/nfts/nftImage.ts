import { type NftId, nftKey } from '../evm/nft.ts'
import { getImageUrl } from './listNfts.ts'
import { loadMetadata } from './loadMetadata.ts'
import type { Nfts } from './nfts.ts'
import { nftsArea } from './nftsArea.ts'

const waitMs = 3_000

/**
 * Returns a function that finds the URL of an NFT's picture on this server, and reads the metadata
 * if it is unknown. Null if there is no picture, undefined while that is unknown.
 */
export const nftPicture =
  (nfts: Nfts) =>
  async (id: NftId): Promise<string | null | undefined> => {
    if (!nftsArea(nfts.config, id.chainId).on) return null
    const row = (await loadMetadata(nfts, id.chainId, { ids: [id], waitMs })).get(nftKey(id))
    return row === undefined || row.state === 'pending'
      ? undefined
      : getImageUrl(nfts.config, id, row)
  }
