import type { HttpBindings } from '@hono/node-server'
import { errors, isError, rpcCodes } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { clientAddress } from '../http/clientAddress.ts'
import { badRequest, failureResponse, networkUnavailable } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import { getOrigin, takeTurn } from '../http/limitRate.ts'
import type { Services } from '../services.ts'
import { type Bundlers, paymasterMethods } from './createBundlers.ts'

type Env = { Bindings: Partial<HttpBindings> }

/** What a call costs of the client's limit: these run code on a node, write to the database or promise money. */
const costs: Readonly<Record<string, number>> = {
  eth_sendUserOperation: 10,
  eth_estimateUserOperationGas: 5,
  ...Object.fromEntries(paymasterMethods.map((method) => [method, 10])),
}

const methods: ReadonlySet<string> = new Set([
  ...paymasterMethods,
  'eth_chainId',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_sendUserOperation',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
])

const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(100), z.int(), z.null()]),
  method: z.string().max(100),
  params: z.array(z.unknown()).max(10).default([]),
})

/** `POST /v1/bundler?chainId&projectId`: one JSON-RPC call of ERC-7769, ERC-7677 or Pimlico's names. */
export const bundlerRoutes = (
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  bundlers: Bundlers,
): Hono<Env> =>
  new Hono<Env>().post('/v1/bundler', (c) => {
    const named = c.req.query('bundler')
    if (named !== undefined && named !== 'pimlico')
      return failureResponse(
        badRequest('bundler_name', 'Only the bundlers that this server configures can be used'),
      )
    return postBundler(services, { c, bundlers, chain: c.req.query('chainId') })
  })

/** Answers a call of the bundler, from a page or from the secure frame. */
export async function postBundler(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  {
    c,
    bundlers,
    chain,
  }: { readonly c: Context<Env>; readonly bundlers: Bundlers; readonly chain: string | undefined },
): Promise<Response> {
  const found = findChain(services.config, chain)
  if ('failure' in found) return failureResponse(found.failure)
  const body = request.safeParse(await c.req.json().catch(() => undefined))
  if (!body.success)
    return rpcResponse(
      null,
      { error: { code: rpcCodes.INVALID_REQUEST, message: errors.INVALID_REQUEST } },
      400,
    )
  const { id, method, params } = body.data
  if (!methods.has(method))
    return failureResponse({
      status: 422,
      field: 'method',
      description: 'This is not a method of a bundler',
    })
  // The request itself has paid for one.
  const more = (costs[method] ?? 1) - 1
  const limited = more > 0 ? await takeTurn(services, '/v1/bundler', getOrigin(c), more) : undefined
  if (limited) return failureResponse(limited)
  try {
    const client = clientAddress(getOrigin(c), services.config.trustedProxies)
    const reply = await bundlers.request(found.chainId, method, params, client)
    if (reply) return rpcResponse(id, reply, 200)
    return failureResponse(badRequest('chainId', `There is no bundler for ${found.chainId}`))
  } catch (error) {
    if (isError(error, 'RPC_UNAVAILABLE')) return failureResponse(networkUnavailable)
    throw error
  }
}

const rpcResponse = (id: string | number | null, reply: object, status: 200 | 400) =>
  Response.json({ jsonrpc: '2.0', id, ...reply }, { status })
