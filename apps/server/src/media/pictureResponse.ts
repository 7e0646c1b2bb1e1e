import type { Context } from 'hono'
import { hasTag } from '../http/answerTagged.ts'
import { holdMore } from '../http/limitResponseMemory.ts'
import type { Picture } from './readPicture.ts'

/** A picture that was loaded; `hash` is the SHA-256 of its bytes. */
export type LoadedPicture = {
  readonly bytes: Buffer
  readonly type: Picture['type']
  readonly hash: string
}

/**
 * The policy of untrusted pictures: nothing runs and nothing is fetched, even if the picture is
 * opened directly.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"

/**
 * An untrusted picture, safe in an `img` and when opened directly; `cache` is the `Cache-Control`
 * value.
 */
export function pictureResponse(
  c: Context,
  { picture, cache }: { readonly picture: LoadedPicture; readonly cache: string },
): Response {
  const etag = `"${picture.hash.slice(0, 32)}"`
  const headers = {
    etag,
    'cache-control': cache,
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    // An `img` ignores this. If opened directly, an SVG must not look like our page.
    ...(picture.type === 'image/svg+xml' && { 'content-disposition': 'attachment' }),
  }
  if (hasTag(c, etag)) return c.body(null, 304, headers)
  const { buffer, byteOffset, byteLength } = picture.bytes
  holdMore(c, byteLength)
  const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
  return c.body(bytes, 200, { ...headers, 'content-type': picture.type })
}
