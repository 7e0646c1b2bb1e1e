import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The content types of built files. Others are not served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** The formats that are compressed already. */
const packedTypes = new Set(['.png', '.webp', '.jpg', '.woff2'])
/** A smaller file is sent in as many packets without compression. */
const minBytes = 1_000

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const encoders = {
  br: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const
type Encoding = keyof typeof encoders

type Packed = { readonly etag: string; readonly body: Promise<Buffer> }
/** The latest version of each file, in each encoding that a client accepted. */
const packed = new Map<string, Packed>()

/**
 * Reads a file of a built app for a client that sends `accept-encoding`: its body and the headers
 * that depend on the file alone. Each version of a file is compressed once. Undefined if there is
 * no such file, or not of a type that an app consists of.
 */
export async function readBuiltFile(
  file: string,
  acceptEncoding: string | undefined,
): Promise<{ body: Buffer; headers: Record<string, string> } | undefined> {
  const extension = extname(file)
  const type = types[extension]
  const found = type === undefined ? undefined : await stat(file).catch(() => undefined)
  if (type === undefined || !found?.isFile()) return undefined
  const etag = `W/"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`
  const headers = { 'content-type': type, etag, vary: 'accept-encoding' }
  const isPacked = packedTypes.has(extension) || found.size < minBytes
  const encoding = isPacked ? undefined : findEncoding(acceptEncoding)
  if (encoding === undefined) return { body: await readFile(file), headers }
  const body = await pack(file, { encoding, etag })
  return { body, headers: { ...headers, 'content-encoding': encoding } }
}

function pack(file: string, { encoding, etag }: { encoding: Encoding; etag: string }) {
  const key = `${encoding} ${file}`
  const known = packed.get(key)
  if (known?.etag === etag) return known.body
  const body = readFile(file).then(encoders[encoding])
  packed.set(key, { etag, body })
  body.catch(() => packed.delete(key))
  return body
}

/** The first of our encodings that a client accepts. */
const findEncoding = (header: string | undefined) =>
  (Object.keys(encoders) as Encoding[]).find((encoding) =>
    header?.split(',').some((part) => {
      const [name, weight] = part.split(';').map((text) => text.trim())
      return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
    }),
  )
