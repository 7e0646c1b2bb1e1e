import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { readHeader } from './clientAddress.ts'

/** The largest body that the secure frame's origin accepts. */
export const frameBodyMaxBytes = 256 * 1024

type Limit = {
  readonly maxBytes: number
  readonly refuse: (c: Context) => Response
}

/**
 * Answers with `refuse` if a request's body is larger than `maxBytes`. Node's parser reads at most
 * the length that a request states, so a body with a stated length is not opened here, which would
 * cost more than most routes.
 */
export function limitBody({
  maxBytes,
  refuse,
}: Limit): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  const limitStream = bodyLimit({ maxSize: maxBytes, onError: refuse })
  return async (c, next) => {
    if (c.req.method === 'GET') return next()
    const length = readHeader(c, 'content-length')
    if (length === undefined || readHeader(c, 'transfer-encoding') !== undefined)
      return limitStream(c, next)
    return Number(length) <= maxBytes ? next() : refuse(c)
  }
}
