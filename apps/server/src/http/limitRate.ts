import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { type Awaitable, recoverFrom, whenReady } from '../awaitable.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import type { Services } from '../services.ts'
import { clientAddress, type Origin, readHeader } from './clientAddress.ts'
import { type Failure, HttpFailure } from './failure.ts'
import { routeTemplate } from './routeTemplate.ts'

const unlimited = new Set(['/health', '/ready'])

/**
 * Responds with 429 if a client requests one route too often. Paths without a route, such as files
 * of the web app, count as one.
 */
export function limitRate(
  services: Pick<Services, 'kv' | 'config' | 'log'>,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    // Preflight requests match no route: they share a separate limit.
    const route = routeTemplate(c) ?? (c.req.method === 'OPTIONS' ? 'preflight' : 'other')
    if (unlimited.has(route)) return next()
    const failure = await takeTurn(services, route, getClientOrigin(c))
    if (failure !== undefined) throw new HttpFailure(failure)
    return next()
  }
}

/** The origin of a request. */
export const getClientOrigin = (c: Context<{ Bindings: Partial<HttpBindings> }>): Origin => ({
  socketAddress: c.env?.incoming?.socket.remoteAddress,
  forwardedFor: readHeader(c, 'x-forwarded-for'),
})

/**
 * Takes `cost` tokens (default 1) of the bucket for route and client address, or returns a failure.
 * Allows every request while the kv store is unavailable.
 */
export const takeTurn = (
  services: Pick<Services, 'kv' | 'config' | 'log'>,
  route: string,
  from: Origin,
  cost = 1,
): Awaitable<Failure | undefined> =>
  takeClientTurn(services, route, clientAddress(from, services.config.trustedProxies), cost)

/** As {@link takeTurn}, by the client's address. */
export function takeClientTurn(
  { kv, config, log }: Pick<Services, 'kv' | 'config' | 'log'>,
  route: string,
  address: string,
  cost = 1,
): Awaitable<Failure | undefined> {
  const take = kv.take(`rate:${route}:${address}`, config.rateLimit, cost)
  const decision = whenReady(take, ({ allowed, retryAfterSeconds }) =>
    allowed ? undefined : tooMany('Requests per second limit exceeded', retryAfterSeconds),
  )
  return recoverFrom(decision, (error) => {
    log.warn({ reason: getErrorMessage(error) }, 'rate limit not applied')
    return undefined
  })
}

/**
 * Takes the turns of a request that costs `cost`; the request itself has paid for one. Throws
 * {@link HttpFailure}.
 */
export async function payTurns(
  services: Pick<Services, 'kv' | 'config' | 'log'>,
  c: Context<{ Bindings: Partial<HttpBindings> }>,
  { route, cost }: { readonly route: string; readonly cost: number },
): Promise<void> {
  if (cost <= 1) return
  const failure = await takeTurn(services, route, getClientOrigin(c), cost - 1)
  if (failure !== undefined) throw new HttpFailure(failure)
}

type ClientBucket = {
  /** Identifies the bucket, next to the client's address. */
  readonly name: string
  readonly bucket: Parameters<Services['kv']['take']>[1]
  /** The beginning of the sentence for people, such as "Too many changes". */
  readonly problem: string
}

/** Takes a token of the client's bucket. Throws {@link HttpFailure} if it is empty. */
export async function takeClientToken(
  { kv, config }: Pick<Services, 'kv' | 'config'>,
  c: Context<{ Bindings: Partial<HttpBindings> }>,
  { name, bucket, problem }: ClientBucket,
): Promise<void> {
  const client = clientAddress(getClientOrigin(c), config.trustedProxies)
  const { allowed, retryAfterSeconds } = await kv.take(`${name}:${client}`, bucket)
  if (!allowed) throw new HttpFailure(tooMany(problem, retryAfterSeconds))
}

/** The failure of a request that comes too soon after others. */
export const tooMany = (problem: string, retryAfterSeconds: number): Failure => ({
  status: 429,
  field: 'rate_limited',
  description: `${problem}: try again in ${Math.max(1, Math.ceil(retryAfterSeconds))} s`,
  retryAfterSeconds,
})
