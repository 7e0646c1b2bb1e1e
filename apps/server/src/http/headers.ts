import type { Config } from '../config.ts'

/** Request headers that wallet clients send. */
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
  'authorization',
  'x-csrf-token',
  // Sent by older clients that sign in.
  'x-nonce-jwt',
  'x-otp',
].join(',')

/**
 * Allows every origin by CORS, on every response. Access is decided by project and origin on the
 * server, not by the browser.
 */
export const sharedHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after,x-request-id',
}

/** Answers the preflight request of a browser. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-headers': allowed,
      vary: 'Access-Control-Request-Headers',
      // The longest time that Chromium allows. Without it, browsers send preflight requests again
      // after five seconds.
      'access-control-max-age': '7200',
    },
  })

/**
 * The default headers of a response. Responses are not cached unless the route sets
 * `cache-control`.
 */
export const secureHeaders = (config: Config): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  ...(config.publicUrl.startsWith('https:') && {
    'strict-transport-security': 'max-age=31536000',
  }),
})
