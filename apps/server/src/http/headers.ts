import type { Config } from '../config.ts'

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

/** Security headers that a response has where its area says nothing else. */
export const secureHeaders = (config: Config): Readonly<Record<string, string>> => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  ...(config.publicUrl.startsWith('https:') && {
    'strict-transport-security': 'max-age=31536000',
  }),
})
