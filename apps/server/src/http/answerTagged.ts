import { createHash } from 'node:crypto'
import type { Context } from 'hono'

/** Makes the ETag of a body. Bodies with the same tag are equal. */
export const makeTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

/**
 * Whether the client has the content with this ETag already (`If-None-Match`), so that the response
 * is 304.
 */
export function hasTag(c: Context, tag: string): boolean {
  const known = (c.req.header('if-none-match') ?? '').split(',').map((one) => one.trim())
  return known.includes(tag) || known.includes(`W/${tag}`) || known.includes('*')
}

/** Answers with JSON and its ETag in `headers`, or with 304 if the client has it. */
export const answerTagged = (
  c: Context,
  json: string,
  headers: Readonly<Record<'etag' | 'cache-control', string>>,
): Response =>
  hasTag(c, headers.etag)
    ? c.body(null, 304, headers)
    : c.body(json, 200, { ...headers, 'content-type': 'application/json' })
