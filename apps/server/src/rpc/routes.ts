import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { clientAddress } from '../http/clientAddress.ts'
import { HttpFailure } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { routeTemplate } from '../http/routeTemplate.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { answerRpc } from './answerRpc.ts'
import { parseCalls } from './parseCalls.ts'
import { takeCalls } from './takeCalls.ts'

type Env = { Bindings: Partial<HttpBindings> }

/**
 * Chain RPC: `POST /v1?chainId&projectId` with one JSON-RPC call or a batch, forwarded to the
 * chain's upstreams.
 */
export function rpcRoutes(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  upstreams: Upstreams,
): Hono<Env> {
  const answer = (c: Context<Env>) =>
    postRpc(services, { c, upstreams, chain: c.req.query('chainId') })
  return new Hono<Env>().post('/v1', answer)
}

type RpcRequest = {
  readonly c: Context<Env>
  readonly upstreams: Upstreams
  /** The chain that the request names. */
  readonly chain: string | undefined
}

/** Answers a request whose body is JSON-RPC. */
export async function postRpc(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  { c, upstreams, chain }: RpcRequest,
): Promise<Response> {
  const found = requireChain(services.config, chain)
  const body = parseCalls(await c.req.text())
  const route = routeTemplate(c) ?? ''
  const from = getClientOrigin(c)
  const limited = await takeCalls(services, { route, from, body })
  if (limited) throw new HttpFailure(limited)
  const client = clientAddress(from, services.config.trustedProxies)
  const result = await answerRpc(upstreams, found, body, {
    client,
    reservation: c.get('reservation'),
  })
  if ('failure' in result) throw new HttpFailure(result.failure)
  return c.body(result.body, result.status, { 'content-type': 'application/json' })
}
