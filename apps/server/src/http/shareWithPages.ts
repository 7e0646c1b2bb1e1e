import type { MiddlewareHandler } from 'hono'

/** Headers that wallet clients send along (wire reference, CORS). */
const allowed = [
  'content-type',
  'user-agent',
  'referer',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'solana-client',
  'sec-fetch-mode',
  'x-sdk-type',
  'x-sdk-version',
  'x-project-id',
].join(',')
const exposed = 'retry-after,x-request-id'

/** CORS for any page: who may ask is decided by project and origin, not by the browser. Preflights are answered here. */
export function shareWithPages(): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') {
      const headers = {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': exposed,
        'access-control-allow-headers': allowed,
        vary: 'Access-Control-Request-Headers',
      }
      c.res = new Response(null, { status: 204, headers })
      return
    }
    await next()
    c.res.headers.set('access-control-allow-origin', '*')
    c.res.headers.set('access-control-expose-headers', exposed)
  }
}
