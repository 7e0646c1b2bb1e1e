import { hashContent, type Pictures, storePicture } from './pictures.ts'
import { readPicture } from './readPicture.ts'

/** Keeps the picture that a `data:` URL held: the hash to find it by, undefined when it is no picture. */
export async function storeDataPicture(
  pictures: Pictures,
  bytes: Buffer,
): Promise<string | undefined> {
  if (readPicture(bytes) === undefined) return undefined
  const hash = hashContent(bytes)
  await storePicture(pictures, hash, bytes)
  return hash
}
