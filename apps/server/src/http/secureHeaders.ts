import type { Config } from '../config.ts'

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
