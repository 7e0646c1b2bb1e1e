import { type ChainId, isError } from '@latchkey/wire'
import { type NftId, nftKey } from '../evm/nft.ts'
import { getCurrentClient } from '../http/currentClient.ts'
import { maxPictureBytes } from '../media/fetchPicture.ts'
import { fillId, parseUri, type UriTarget } from '../media/parseUri.ts'
import { hashContent, storeDataPicture } from '../media/pictures.ts'
import { readPicture } from '../media/readPicture.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import {
  claimDue,
  findMetadata,
  type MetadataRow,
  saveFailure,
  saveMetadata,
} from './metadataRows.ts'
import type { Nfts } from './nfts.ts'
import { type Metadata, noMetadata, parseMetadata } from './parseMetadata.ts'
import { readTokenUris } from './readNftContracts.ts'

const maxBytes = 1024 * 1024
const timeoutMs = 8_000
/** Storage hosts answer with octet-stream, gateways often with plain text. */
const accept = [
  'application/json',
  'application/ld+json',
  'text/json',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  // Some contracts return the picture instead of the metadata.
  'image/*',
  'text/xml',
]

/**
 * What is known about some NFTs of a chain, by {@link nftKey}. New or outdated metadata is read in
 * the background; this waits at most `waitMs` for NFTs without metadata.
 */
export async function loadMetadata(
  nfts: Nfts,
  chainId: ChainId,
  { ids, waitMs }: { readonly ids: readonly NftId[]; readonly waitMs: number },
): Promise<Map<string, MetadataRow>> {
  const known = await findMetadata(nfts, chainId, ids)
  const nowMs = nfts.clock()
  // A read that waited here for its turn may have been claimed long ago.
  const due = ids.filter(
    (id) =>
      !nfts.pending.has(nftKey(id)) && (known.get(nftKey(id))?.next_at.getTime() ?? 0) <= nowMs,
  )
  const claiming = claimDue(nfts, due)
  startReading(nfts, chainId, { ids: due, claiming })
  await claiming
  const missing = ids.filter((id) => (known.get(nftKey(id))?.state ?? 'pending') === 'pending')
  if (missing.length === 0) return known
  // If there is no flight, it may have ended while the row was read.
  const flights = missing.flatMap((id) => nfts.pending.get(nftKey(id)) ?? [])
  await waitUntilSettled(flights, waitMs)
  return new Map([...known, ...(await findMetadata(nfts, chainId, missing))])
}

async function waitUntilSettled(work: readonly Promise<void>[], waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([Promise.all(work), timeout])
  clearTimeout(timer)
}

/**
 * Reads the NFTs that this process may claim. Each NFT has its own flight, which never rejects and
 * exists before the claim, so that concurrent callers find either the claim or the flight. The
 * claimed URIs are read together.
 */
function startReading(
  nfts: Nfts,
  chainId: ChainId,
  { ids, claiming }: { ids: readonly NftId[]; claiming: Promise<readonly NftId[]> },
): void {
  if (ids.length === 0) return
  const uris = claiming.then((claimed) => readTokenUris(nfts, chainId, claimed))
  // The flights of the claimed NFTs handle the error.
  uris.catch(() => {})
  for (const id of ids) {
    const key = nftKey(id)
    const read = async () => {
      const index = (await claiming).findIndex((claimed) => nftKey(claimed) === key)
      if (index < 0) return
      await uris
        .then((list) => readMetadata(nfts, id, list[index]))
        .catch(async (error: unknown) => {
          // Another process, or this one after a restart, retries it in a minute.
          if (!nfts.outbound.stopping?.aborted) await saveFailure(nfts, id, getReason(error))
        })
    }
    const flight = read()
      .catch((error: unknown) => nfts.log.warn({ err: error, nft: key }, 'NFT metadata not stored'))
      .finally(() => nfts.pending.delete(key))
    nfts.pending.set(key, flight)
  }
}

const getReason = (error: unknown) => (isError(error) ? error.message : 'it could not be read')

async function readMetadata(nfts: Nfts, id: NftId, uri: string | undefined): Promise<void> {
  if (uri === undefined) return saveMetadata(nfts, id, { metadata: null, hash: null })
  const filled = id.standard === 'erc1155' ? fillId(uri, id.tokenId) : uri
  const place = parseUri(filled, nfts.config)
  if ('reason' in place) return saveFailure(nfts, id, place.reason)
  const bytes = await readBytes(nfts, id, place)
  const metadata = readContent(bytes, filled)
  if (metadata === undefined) return saveFailure(nfts, id, 'it is not a JSON object')
  const image = await storeImage(nfts, { id, place, image: metadata.image })
  await saveMetadata(nfts, id, { metadata: { ...metadata, image }, hash: hashContent(bytes) })
}

/** The metadata, or only a picture if `uri` leads to one; undefined if it is neither. */
function readContent(bytes: Buffer, uri: string): Metadata | undefined {
  if (readPicture(bytes) !== undefined) return { ...noMetadata, image: uri }
  return bytes.byteLength <= maxBytes ? parseMetadata(bytes.toString('utf8')) : undefined
}

async function readBytes(
  nfts: Nfts,
  { chainId, contract }: NftId,
  place: Exclude<UriTarget, { reason: string }>,
): Promise<Buffer> {
  if ('data' in place) return place.data.bytes
  return nfts.concurrency.run({
    key: `${chainId}:${contract}`,
    client: getCurrentClient(),
    signal: new AbortController().signal,
    full: () => new Error('too many requests wait'),
    work: async () =>
      (
        await fetchOutside(nfts.outbound, place.url, {
          accept,
          maxBytes: maxPictureBytes,
          timeoutMs,
        })
      ).bytes,
  })
}

/**
 * Stores a picture that the metadata contains on disk, or keeps the URI of a picture elsewhere. A
 * URI without a target is ignored, and so is a string that only looks like a stored picture
 * (`kept:`). A relative URI is resolved against the metadata's `place`.
 */
async function storeImage(
  { pictures, config }: Nfts,
  {
    id: { standard, tokenId },
    place,
    image,
  }: { readonly id: NftId; readonly place: UriTarget; readonly image: string | null },
): Promise<string | null> {
  if (image === null) return null
  const uri = standard === 'erc1155' ? fillId(image, tokenId) : image
  const found = parseUri(uri, config, 'url' in place ? place : undefined)
  if ('reason' in found) return null
  if ('url' in found) return 'url' in parseUri(uri, config) ? uri : found.url
  const hash = await storeDataPicture(pictures, found.data.bytes)
  return hash === undefined ? null : `kept:${hash}`
}

/** Reads the metadata of an NFT again, regardless of its age. Resolves when done. */
export async function reloadMetadata(nfts: Nfts, id: NftId): Promise<void> {
  const ids = nfts.pending.has(nftKey(id)) ? [] : [id]
  startReading(nfts, id.chainId, { ids, claiming: Promise.resolve(ids) })
  await nfts.pending.get(nftKey(id))
}
