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

/** CORS for any page, on every response: who may ask is decided by project and origin, not by the browser. */
export const sharedHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after,x-request-id',
}

/** Answers the question a browser asks before the request of a page. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-headers': allowed,
      vary: 'Access-Control-Request-Headers',
    },
  })
