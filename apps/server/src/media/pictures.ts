import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResponseMemory } from '../http/createResponseMemory.ts'
import { OverBudget } from '../http/failure.ts'
import { readPicture } from './readPicture.ts'

/** Pictures stored on disk by hash; the least recently used pictures are removed first. */
export type Pictures = {
  readonly dir: string
  readonly clock: () => number
  readonly maxBytes: number
  /** The estimated bytes on disk; counted again when there may be too many. */
  readonly size: { bytes: number }
  readonly responseMemory: ResponseMemory
}

const defaultMaxBytes = 512 * 1024 * 1024
/** A small file takes a whole block of the disk, and there may be a million small pictures. */
const blockBytes = 4_096
const sizeOnDisk = (bytes: number) => Math.ceil(bytes / blockBytes) * blockBytes

export const openPictures = ({
  dir,
  clock,
  responseMemory,
  maxBytes = defaultMaxBytes,
}: Pick<Pictures, 'dir' | 'clock' | 'responseMemory'> & {
  readonly maxBytes?: number
}): Pictures => ({
  dir,
  clock,
  maxBytes,
  responseMemory,
  size: { bytes: Number.POSITIVE_INFINITY },
})

export const hashContent = (content: string | Buffer) =>
  createHash('sha256').update(content).digest('hex')

/**
 * The picture of a hash and its age, or undefined. Throws OverBudget if there is no memory to read
 * it now.
 */
export async function findPicture(
  { dir, clock, responseMemory }: Pictures,
  hash: string,
): Promise<{ readonly bytes: Buffer; readonly ageMs: number } | undefined> {
  const file = join(dir, hash)
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return undefined
  const { mtimeMs, size } = found
  const reservation = responseMemory.open(undefined, size)
  if (reservation === undefined) throw new OverBudget()
  try {
    const bytes = await readFile(file)
    await utimes(file, new Date(clock()), new Date(mtimeMs))
    return { bytes, ageMs: clock() - mtimeMs }
  } catch {
    return undefined
  } finally {
    reservation.release()
  }
}

/** Stores a picture, completely or not at all. */
export async function storePicture(pictures: Pictures, hash: string, bytes: Buffer): Promise<void> {
  const { dir, clock, size, maxBytes } = pictures
  await mkdir(dir, { recursive: true })
  const part = join(dir, `${hash}.${randomUUID()}`)
  await writeFile(part, bytes)
  const now = new Date(clock())
  await utimes(part, now, now)
  await rename(part, join(dir, hash))
  size.bytes += sizeOnDisk(bytes.byteLength)
  if (size.bytes > maxBytes) await makeRoom(pictures)
}

/** Removes the least recently requested pictures until a fifth is free. */
async function makeRoom({ dir, size, maxBytes }: Pictures): Promise<void> {
  const names = await readdir(dir)
  const found = await Promise.all(
    names.map(async (name) => {
      const state = await stat(join(dir, name)).catch(() => undefined)
      return state ? [{ name, bytes: sizeOnDisk(state.size), askedAtMs: state.atimeMs }] : []
    }),
  )
  const files = found.flat().sort((a, b) => a.askedAtMs - b.askedAtMs)
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > maxBytes)
    for (const file of files) {
      if (bytes <= maxBytes * 0.8) break
      await rm(join(dir, file.name), { force: true })
      bytes -= file.bytes
    }
  size.bytes = bytes
}

/**
 * Stores the picture in a `data:` URL. Returns its hash, or undefined if the data is not a picture.
 */
export async function storeDataPicture(
  pictures: Pictures,
  bytes: Buffer,
): Promise<string | undefined> {
  if (readPicture(bytes) === undefined) return undefined
  const hash = hashContent(bytes)
  await storePicture(pictures, hash, bytes)
  return hash
}
