import { type NftId, nftKey } from '../evm/nft.ts'
import { getImageUrl } from './listNfts.ts'
import { loadMetadata } from './loadMetadata.ts'
import type { Nfts } from './nfts.ts'
import { nftsArea } from './nftsArea.ts'

/** Where our own server shows the picture of an NFT; null where it has none, undefined while that is not known. */
export type NftPicture = (id: NftId) => Promise<string | null | undefined>

const waitMs = 3_000

/** By what the NFT area knows; it reads what it does not. */
export const nftPicture =
  (nfts: Nfts): NftPicture =>
  async (id) => {
    if (!nftsArea(nfts.config, id.chainId).on) return null
    const row = (await loadMetadata(nfts, id.chainId, { ids: [id], waitMs })).get(nftKey(id))
    return row === undefined || row.state === 'pending'
      ? undefined
      : getImageUrl(nfts.config, id, row)
  }
