import { type Context, Hono } from 'hono'
import { failureResponse } from '../http/failure.ts'
import type { Services } from '../services.ts'
import { answerRpc } from './answerRpc.ts'
import { chainOf } from './chainOf.ts'
import type { Upstreams } from './upstreams.ts'

/** Chain RPC: `POST /v1?chainId&projectId` with one JSON-RPC call or a batch, passed to the chain's upstreams. */
export function rpcRoutes({ config }: Pick<Services, 'config'>, upstreams: Upstreams): Hono {
  const answer = async (c: Context): Promise<Response> => {
    const chain = chainOf(config, c.req.query('chainId'))
    if ('failure' in chain) return failureResponse(chain.failure)
    const result = await answerRpc(upstreams, chain.chainId, await c.req.text())
    if ('failure' in result) return failureResponse(result.failure)
    return c.body(result.body, result.status, { 'content-type': 'application/json' })
  }
  return new Hono().post('/v1', answer).post('/v1/', answer)
}
