import type { ChainId } from '@latchkey/wire'
import * as z from 'zod'
import { hexHash } from '../evm/schemas.ts'
import { parseReplies } from '../nodes/readReplies.ts'
import { requestUpstream } from '../nodes/requestUpstream.ts'
import { createRpcRequest } from '../nodes/rpcRequest.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Services } from '../services.ts'

const limits = { timeoutMs: 15_000, maxBytes: 512 * 1024 } as const

const quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)
const object = z.record(z.string(), z.unknown())
/** The schemas of responses: nothing from another bundler is passed on unparsed. */
const results: Readonly<Record<string, z.ZodType>> = {
  eth_chainId: quantity,
  eth_supportedEntryPoints: z.array(z.string().max(42)).max(20),
  eth_sendUserOperation: hexHash,
  eth_estimateUserOperationGas: z.record(z.string(), quantity.nullish()),
  eth_getUserOperationReceipt: object.nullable(),
  eth_getUserOperationByHash: object.nullable(),
}
const replyError = z.object({
  code: z.number(),
  message: z.string().transform((text) => text.slice(0, 500)),
})

export type OutsideReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/**
 * Sends a request to the operator's bundlers, one after another, until one returns a valid
 * response. The same operation may reach two of them, but its nonce lets it be executed only once.
 * Throws RPC_UNAVAILABLE.
 */
export async function askOutside(
  { responseMemory, log }: Pick<Services, 'responseMemory' | 'log'>,
  request: {
    readonly chainId: ChainId
    readonly urls: readonly string[]
    readonly method: string
    readonly params: readonly unknown[]
  },
): Promise<OutsideReply> {
  const { chainId, urls, method, params } = request
  const body = createRpcRequest([{ method, params: JSON.stringify(params) }], {
    read: parseReplies,
    findFault: () => undefined,
  })
  for (const url of urls) {
    const answer = await requestUpstream(url, body, { ...limits, responseMemory })
    const reply = typeof answer === 'string' ? undefined : read(method, answer[0])
    if (reply) return reply
    const fault = typeof answer === 'string' ? answer : 'badAnswer'
    log.warn({ chain: chainId, bundler: new URL(url).host, fault }, 'a bundler failed')
  }
  throw rpcUnavailable(chainId)
}

function read(
  method: string,
  reply: { readonly result?: unknown; readonly error?: string } | undefined,
): OutsideReply | undefined {
  if (reply?.error !== undefined) {
    const error = replyError.safeParse(JSON.parse(reply.error))
    return error.success ? { error: error.data } : undefined
  }
  const result = (results[method] ?? object).safeParse(reply?.result)
  return result.success ? { result: result.data } : undefined
}
