import type { MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'

/** Security headers of every response; an area may have set a stricter one of its own. */
export function secureHeaders(config: Config): MiddlewareHandler {
  const headers = Object.entries({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
    ...(config.publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000',
    }),
  })
  return async (c, next) => {
    await next()
    const own = c.res.headers
    for (const [name, value] of headers) if (!own.has(name)) own.set(name, value)
  }
}
