import { OverBudget } from '../http/failure.ts'
import { parseUri } from '../media/parseUri.ts'
import { findPicture, hashContent, storePicture } from '../media/pictures.ts'
import { type Picture, readPicture } from '../media/readPicture.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import { loadMetadata, reloadMetadata } from './loadMetadata.ts'
import { findMetadata, type MetadataRow } from './metadataRows.ts'
import { type NftId, type Nfts, nftKey } from './nfts.ts'
import { readNft } from './readNftContracts.ts'

const maxBytes = 10 * 1024 * 1024
const timeoutMs = 15_000
const accept = [
  'image/*',
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'binary/octet-stream',
]
const freshMs = 7 * 24 * 3_600_000
const failedSeconds = 300
const waitMs = 3_000

export type LoadedPicture = {
  readonly bytes: Buffer
  readonly type: Picture['type']
  readonly hash: string
}

/**
 * The picture that an NFT's metadata names, by the contract that has the NFT: nothing else is fetched here. Undefined
 * where there is none that can be shown, or not yet. Throws RPC_UNAVAILABLE.
 */
export async function loadNftPicture(
  nfts: Nfts,
  id: Omit<NftId, 'standard'>,
): Promise<LoadedPicture | undefined> {
  const row = await loadRow(nfts, id)
  if (row?.state !== 'ready' || row.image === null) return undefined
  const kept = /^kept:([0-9a-f]{64})$/.exec(row.image)?.[1]
  const bytes =
    kept === undefined
      ? await fetchPicture(nfts, { uri: row.image, freshMs })
      : await loadStored(nfts, id, kept)
  const picture = bytes && readPicture(bytes)
  return picture && { bytes, type: picture.type, hash: hashContent(bytes) }
}

/** What is known of it, read now where nothing is: in an account's history are NFTs that no list shows. */
async function loadRow(nfts: Nfts, id: Omit<NftId, 'standard'>): Promise<MetadataRow | undefined> {
  const row = (await findMetadata(nfts, id.chainId, [id])).get(nftKey(id))
  if (row && row.state !== 'pending') return row
  const one = await readNft(nfts, { ...id, owner: undefined })
  if (one === undefined) return undefined
  const ids = [{ ...id, standard: one.standard }]
  return (await loadMetadata(nfts, id.chainId, { ids, waitMs })).get(nftKey(id))
}

/** Of a picture that the metadata holds; where it had to make room it is read from there again. */
async function loadStored(
  nfts: Nfts,
  id: Omit<NftId, 'standard'>,
  hash: string,
): Promise<Buffer | undefined> {
  const found = await findPicture(nfts.pictures, hash)
  if (found) return found.bytes
  const missing = failedKey(hash)
  if ((await nfts.kv.get(missing).catch(() => undefined)) !== undefined) return undefined
  const one = await readNft(nfts, { ...id, owner: undefined })
  if (one === undefined) return undefined
  await reloadMetadata(nfts, { ...id, standard: one.standard })
  const again = await findPicture(nfts.pictures, hash)
  if (again === undefined) await nfts.kv.set(missing, '1', failedSeconds).catch(() => {})
  return again?.bytes
}

const failedKey = (hash: string) => `nft-picture-failed:${hash}`

/** What a picture is fetched and kept with. */
export type PictureServices = Pick<Nfts, 'config' | 'outbound' | 'pictures' | 'kv' | 'log'>

/**
 * The bytes of a picture elsewhere, from disk while it is fresh; an old one where there is no newer, undefined where
 * there is none, or the URI is no URL. Throws OverBudget.
 */
export async function fetchPicture(
  nfts: PictureServices,
  { uri, freshMs }: { readonly uri: string; readonly freshMs: number },
): Promise<Buffer | undefined> {
  const place = parseUri(uri, nfts.config.ipfsGateway)
  if (!('url' in place)) return undefined
  const hash = hashContent(place.url)
  const found = await findPicture(nfts.pictures, hash)
  if (found && found.ageMs < freshMs) return found.bytes
  const failed = failedKey(hash)
  if ((await nfts.kv.get(failed).catch(() => undefined)) !== undefined) return found?.bytes
  try {
    const { bytes } = await fetchOutside(nfts.outbound, place.url, {
      accept,
      maxBytes: maxBytes,
      timeoutMs,
    })
    if (readPicture(bytes) === undefined) throw new Error('It is no picture')
    await storePicture(nfts.pictures, hash, bytes).catch((error: unknown) =>
      nfts.log.warn({ err: error }, 'NFT picture not kept'),
    )
    return bytes
  } catch (error) {
    if (error instanceof OverBudget) throw error
    nfts.log.debug({ err: error }, 'NFT picture not fetched')
    await nfts.kv.set(failed, '1', failedSeconds).catch(() => {})
    return found?.bytes
  }
}
