import type { HttpBindings } from '@hono/node-server'
import { isError, LatchkeyError, rpcCodes } from '@latchkey/wire'
import { Hono } from 'hono'
import * as z from 'zod'
import { payTurns } from '../http/limitRate.ts'
import { readJson } from '../http/request/readJson.ts'
import type { Services } from '../services.ts'
import type { SmartSessionsDeps } from './session.ts'
import { getCallsStatus, prepareCalls, sendPreparedCalls } from './sessionCalls.ts'

const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(100), z.int(), z.null()]),
  method: z.string().max(100),
  params: z.unknown().optional(),
})

const methods: Readonly<
  Record<string, (deps: SmartSessionsDeps, params: unknown) => Promise<unknown>>
> = {
  wallet_prepareCalls: prepareCalls,
  wallet_sendPreparedCalls: sendPreparedCalls,
  wallet_getCallsStatus: getCallsStatus,
}

/**
 * The cost of a call in units of the client's limit: as much as its requests to the bundler and the
 * paymaster.
 */
const costs: Readonly<Record<string, number>> = {
  wallet_prepareCalls: 26,
  wallet_sendPreparedCalls: 10,
}

/**
 * `POST /v1/wallet`: the requests that a page with a session sends on its own, one JSON-RPC call
 * each.
 */
export const walletRoutes = (
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  deps: SmartSessionsDeps,
): Hono<{ Bindings: Partial<HttpBindings> }> =>
  new Hono<{ Bindings: Partial<HttpBindings> }>().post('/v1/wallet', async (c) => {
    const read = await readJson(c)
    const body = request.safeParse('json' in read ? read.json : undefined)
    if (!body.success) return c.json(toReply(null, new LatchkeyError('INVALID_REQUEST')), 400)
    const { id, method, params } = body.data
    const work = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!work)
      return c.json(toReply(id, new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })), 400)
    await payTurns(services, c, { route: '/v1/wallet', cost: costs[method] ?? 1 })
    try {
      return c.json({ jsonrpc: '2.0', id, result: await work(deps, params) })
    } catch (error) {
      if (isError(error)) return c.json(toReply(id, error), 400)
      throw error
    }
  })

const toReply = (id: string | number | null, error: LatchkeyError) => {
  const codes: Readonly<Record<string, number>> = rpcCodes
  return {
    jsonrpc: '2.0',
    id,
    error: { code: codes[error.code] ?? -32_000, message: error.message },
  }
}
