import { recoverFrom } from '../awaitable.ts'
import { OverBudget } from '../http/failure.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import type { Services } from '../services.ts'
import { parseUri } from './parseUri.ts'
import { findPicture, hashContent, type Pictures, storePicture } from './pictures.ts'
import { readPicture } from './readPicture.ts'

/** The dependencies for fetching and storing pictures. */
export type PictureServices = Pick<Services, 'config' | 'kv' | 'log'> & {
  readonly outbound: Outbound
  readonly pictures: Pictures
}

/** The most bytes of a picture. */
export const maxPictureBytes = 10 * 1024 * 1024
const timeoutMs = 15_000
const accept = [
  'image/*',
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'binary/octet-stream',
]

/** How long to wait before fetching a picture again after a failure. */
export const failedSeconds = 300

/**
 * The bytes of a remote picture, from disk while it is fresh. Returns an old picture if there is no
 * newer version; undefined if there is no picture or the URI is not a URL. Throws OverBudget.
 */
export async function fetchPicture(
  nfts: PictureServices,
  { uri, freshMs }: { readonly uri: string; readonly freshMs: number },
): Promise<Buffer | undefined> {
  const place = parseUri(uri, nfts.config)
  if (!('url' in place)) return undefined
  const hash = hashContent(place.url)
  const found = await findPicture(nfts.pictures, hash)
  if (found && found.ageMs < freshMs) return found.bytes
  const failed = failedKey(hash)
  if ((await recoverFrom(nfts.kv.get(failed), () => undefined)) !== undefined) return found?.bytes
  try {
    const { bytes } = await fetchOutside(nfts.outbound, place.url, {
      accept,
      maxBytes: maxPictureBytes,
      timeoutMs,
    })
    if (readPicture(bytes) === undefined) throw new Error('It is not a picture')
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

/** The kv key of a picture that could not be fetched. */
export const failedKey = (hash: string) => `nft-picture-failed:${hash}`
