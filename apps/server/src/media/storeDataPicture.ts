import { hashOf, keepPicture, type Pictures } from './pictures.ts'
import { readPicture } from './readPicture.ts'

/** Keeps the picture that a `data:` URL held: the hash to find it by, undefined when it is no picture. */
export async function keepData(pictures: Pictures, bytes: Buffer): Promise<string | undefined> {
  if (readPicture(bytes) === undefined) return undefined
  const hash = hashOf(bytes)
  await keepPicture(pictures, hash, bytes)
  return hash
}
