import type { Context } from 'hono'
import { type Failure, HttpFailure } from '../http/failure.ts'
import { fetchPicture, type PictureServices } from '../media/fetchPicture.ts'
import { pictureResponse } from '../media/pictureResponse.ts'
import { findPicture, hashContent } from '../media/pictures.ts'
import { readPicture } from '../media/readPicture.ts'
import type { Avatar } from './checkAvatar.ts'

const freshMs = 24 * 3_600_000
const cache = 'public, max-age=300, stale-while-revalidate=86400'

/**
 * The picture of an avatar record, fetched by this server: safe in an `img`, and harmless if opened
 * directly. If a picture in the record itself was evicted from the disk, it returns with the next
 * look-up of the name.
 */
export async function showAvatar(
  services: PictureServices,
  c: Context,
  avatar: Exclude<Avatar, { shownAt: string }>,
): Promise<Response> {
  const bytes =
    'kept' in avatar
      ? (await findPicture(services.pictures, avatar.kept))?.bytes
      : await fetchPicture(services, { uri: avatar.url, freshMs })
  const picture = bytes && readPicture(bytes)
  if (bytes === undefined || picture === undefined) throw new HttpFailure(noPicture)
  const shown = { bytes, type: picture.type, hash: hashContent(bytes) }
  return pictureResponse(c, { picture: shown, cache })
}

const noPicture: Failure = {
  status: 404,
  field: 'avatar',
  description: 'This avatar has no picture that can be shown',
}
