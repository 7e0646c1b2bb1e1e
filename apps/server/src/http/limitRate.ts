import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import { clientAddress } from './clientAddress.ts'
import { type Failure, failureResponse } from './failure.ts'
import { routeTemplate } from './routeTemplate.ts'

const unlimited = new Set(['/health', '/ready', '/metrics'])

/** Refuses with 429 who asks one route too often. */
export function limitRate(
  services: Pick<Services, 'kv' | 'config' | 'log'>,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const route = routeTemplate(c)
    if (route === undefined || unlimited.has(route)) return next()
    const failure = await takeTurn(services, route, {
      socketAddress: c.env?.incoming?.socket.remoteAddress,
      forwardedFor: c.req.header('x-forwarded-for'),
    })
    return failure === undefined ? next() : failureResponse(failure)
  }
}

/** Takes one token of (route, client address), or says when to come back. Lets everybody pass while the kv is away. */
export async function takeTurn(
  { kv, config, log }: Pick<Services, 'kv' | 'config' | 'log'>,
  route: string,
  from: Parameters<typeof clientAddress>[0],
): Promise<Failure | undefined> {
  const address = clientAddress(from, config.trustedProxies)
  try {
    const take = await kv.take(`rate:${route}:${address}`, config.rateLimit)
    return take.allowed ? undefined : tooMany(take.retryAfterSeconds)
  } catch (error) {
    log.warn(
      { reason: error instanceof Error ? error.message : 'unknown' },
      'rate limit not applied',
    )
    return undefined
  }
}

const tooMany = (retryAfterSeconds: number): Failure => ({
  status: 429,
  field: 'rate_limited',
  description: `Requests per second limit exceeded: try again in ${Math.max(1, Math.ceil(retryAfterSeconds))} s`,
  retryAfterSeconds,
})
