import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A picture in memory, ready to be sent. */
export type Image = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
}

/**
 * Pictures by lower-case id. A picture outside the index does not exist: no path is made from a
 * request.
 */
export type Images = ReadonlyMap<string, Image>

type Kind = 'wallets' | 'networks' | 'tokens' | 'connectors'

const getFolder = (kind: Kind) =>
  fileURLToPath(new URL(`../../data/images/${kind}`, import.meta.url))
const types: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.webp': 'image/webp' }

/** Reads all pictures of one kind. */
export function readImages(kind: Kind): Images {
  const images = new Map<string, Image>()
  for (const { id, file } of list(kind)) {
    const type = types[extname(file)]
    if (type) images.set(id, createImage(readFileSync(join(getFolder(kind), file)), type))
  }
  return images
}

/** The lower-case symbols of the tokens with a picture. */
export const tokenSymbols = (): ReadonlySet<string> => new Set(list('tokens').map(({ id }) => id))

export function createImage(content: Uint8Array | string, type: string): Image {
  const bytes = Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content)
  const hash = createHash('sha256').update(bytes).digest('base64url')
  return { bytes, type, etag: `"${hash.slice(0, 22)}"` }
}

const list = (kind: Kind) =>
  readdirSync(getFolder(kind)).map((file) => ({
    file,
    id: file.slice(0, -extname(file).length).toLowerCase(),
  }))
