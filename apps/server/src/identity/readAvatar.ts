import { isError, LatchkeyError } from '@latchkey/wire'
import { parseUri } from '../nfts/parseUri.ts'
import { type Picture, readPicture } from '../nfts/readPicture.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import type { Services } from '../services.ts'

/** A picture's bytes, of the kind they are themselves. */
export type AvatarPicture = { readonly type: Picture['type']; readonly bytes: Buffer }

const limits = {
  accept: ['image/*', 'application/octet-stream'],
  maxBytes: 2 * 1024 * 1024,
  timeoutMs: 8_000,
}

/**
 * The picture at a URL that an avatar record names. Throws OUTBOUND_REFUSED or OUTBOUND_FAILED when it cannot be had, or
 * is no picture.
 */
export async function readAvatar(
  { config, outbound }: { readonly config: Services['config']; readonly outbound: Outbound },
  url: string,
): Promise<AvatarPicture> {
  const place = parseUri(url, config.ipfsGateway)
  if ('reason' in place) throw failed(place.reason)
  const { bytes } = 'data' in place ? place.data : await fetchOutside(outbound, place.url, limits)
  const picture = readPicture(bytes)
  if (picture === undefined) throw failed('it is no picture')
  return { type: picture.type, bytes }
}

/** Whether it is the picture's fault. */
export const isUnfetched = (error: unknown) =>
  isError(error, 'OUTBOUND_FAILED') || isError(error, 'OUTBOUND_REFUSED')

const failed = (reason: string) =>
  new LatchkeyError('OUTBOUND_FAILED', { data: { host: 'The avatar', reason } })
