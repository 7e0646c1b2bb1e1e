import { recoverFrom } from '../awaitable.ts'
import { type NftId, nftKey } from '../evm/nft.ts'
import { failedKey, failedSeconds, fetchPicture } from '../media/fetchPicture.ts'
import type { LoadedPicture } from '../media/pictureResponse.ts'
import { findPicture, hashContent } from '../media/pictures.ts'
import { readPicture } from '../media/readPicture.ts'
import { loadMetadata, reloadMetadata } from './loadMetadata.ts'
import { findMetadata, type MetadataRow } from './metadataRows.ts'
import type { Nfts } from './nfts.ts'
import { readNft } from './readNftContracts.ts'

const freshMs = 7 * 24 * 3_600_000
/**
 * Longer than reading metadata may take, because a browser that gets no picture does not request it
 * again.
 */
const waitMs = 10_000

/**
 * The picture in an NFT's metadata, found through the NFT's contract: nothing else is fetched here.
 * Undefined if there is no picture that can be shown, or not yet. Throws RPC_UNAVAILABLE.
 */
export async function loadNftPicture(
  nfts: Nfts,
  id: Omit<NftId, 'standard'>,
): Promise<LoadedPicture | undefined> {
  const row = await loadRow(nfts, id)
  if (row?.state !== 'ready' || row.image === null) return undefined
  const contentHash = /^kept:([0-9a-f]{64})$/.exec(row.image)?.[1]
  const bytes =
    contentHash === undefined
      ? await fetchPicture(nfts, { uri: row.image, freshMs })
      : await loadStored(nfts, id, contentHash)
  const picture = bytes && readPicture(bytes)
  return picture && { bytes, type: picture.type, hash: hashContent(bytes) }
}

/**
 * The metadata of an NFT, read now if it is missing: an account's history has NFTs that no list
 * shows.
 */
async function loadRow(nfts: Nfts, id: Omit<NftId, 'standard'>): Promise<MetadataRow | undefined> {
  const row = (await findMetadata(nfts, id.chainId, [id])).get(nftKey(id))
  if (row && row.state !== 'pending') return row
  const one = await readNft(nfts, { ...id, owner: undefined })
  if (one === undefined) return undefined
  const ids = [{ ...id, standard: one.standard }]
  return (await loadMetadata(nfts, id.chainId, { ids, waitMs })).get(nftKey(id))
}

/**
 * The bytes of a picture that the metadata contains. If the cache has dropped the picture, reads
 * the metadata again.
 */
async function loadStored(
  nfts: Nfts,
  id: Omit<NftId, 'standard'>,
  hash: string,
): Promise<Buffer | undefined> {
  const found = await findPicture(nfts.pictures, hash)
  if (found) return found.bytes
  const missing = failedKey(hash)
  if ((await recoverFrom(nfts.kv.get(missing), () => undefined)) !== undefined) return undefined
  const one = await readNft(nfts, { ...id, owner: undefined })
  if (one === undefined) return undefined
  await reloadMetadata(nfts, { ...id, standard: one.standard })
  const again = await findPicture(nfts.pictures, hash)
  if (again === undefined) await nfts.kv.set(missing, '1', failedSeconds).catch(() => {})
  return again?.bytes
}
