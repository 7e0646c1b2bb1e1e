import type { Context } from 'hono'
import { type Failure, failureResponse } from '../http/failure.ts'
import { fetchPicture, type PictureWays } from '../nfts/openPicture.ts'
import { parseUri } from '../nfts/parseUri.ts'
import { pictureResponse } from '../nfts/pictureResponse.ts'
import { hashOf } from '../nfts/pictures.ts'
import { readPicture } from '../nfts/readPicture.ts'

const freshMs = 24 * 3_600_000
const cache = 'public, max-age=300, stale-while-revalidate=86400'

/** The picture that an avatar record names, fetched by us, safe to be shown in an `img` and harmless when opened. */
export async function showAvatar(ways: PictureWays, c: Context, uri: string): Promise<Response> {
  const place = parseUri(uri, ways.config.ipfsGateway)
  const bytes = 'data' in place ? place.data.bytes : await fetchPicture(ways, { uri, freshMs })
  const picture = bytes && readPicture(bytes)
  if (bytes === undefined || picture === undefined) return failureResponse(noPicture)
  const shown = { bytes, type: picture.type, hash: hashOf(bytes) }
  return pictureResponse(c, { picture: shown, cache })
}

const noPicture: Failure = {
  status: 404,
  field: 'avatar',
  description: 'There is no picture of this avatar that can be shown',
}
