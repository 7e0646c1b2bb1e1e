import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { type Failure, failureResponse } from '../http/failure.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import type { Services } from '../services.ts'
import { isUnfetched, readAvatar } from './readAvatar.ts'

type Needs = Pick<Services, 'config' | 'log'> & { readonly outbound: Outbound }

const keptSeconds = 300

/** The picture at a URL that an avatar record names, safe to be shown in an `img` and harmless when opened. */
export async function showAvatar(needs: Needs, c: Context, url: string): Promise<Response> {
  const picture = await readAvatar(needs, url).catch((error: unknown) => {
    if (!isUnfetched(error)) throw error
    needs.log.debug({ err: error }, 'avatar not shown')
  })
  if (picture === undefined) return failureResponse(notFetched)
  const etag = `"${createHash('sha256').update(picture.bytes).digest('base64url').slice(0, 22)}"`
  const headers = {
    etag,
    'cache-control': `public, max-age=${keptSeconds}`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  return c.body(new Uint8Array(picture.bytes), 200, { ...headers, 'content-type': picture.type })
}

const notFetched: Failure = {
  status: 502,
  field: 'avatar',
  description: 'The avatar could not be fetched',
}
