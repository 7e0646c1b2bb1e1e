import type { ChainId } from '@latchkey/wire'
import * as z from 'zod'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

/** A node's reply to a call: its result, or its error with the contract's revert data. */
export type ChainReply =
  | { readonly result: unknown; readonly error?: never }
  | { readonly error: z.infer<typeof nodeError>; readonly result?: never }

/**
 * Sends all calls to the nodes of one chain in one request. Throws RPC_UNAVAILABLE if no node
 * answers.
 */
export type AskChain = (
  calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
) => Promise<ChainReply[]>

const nodeError = z.object({
  code: z.number().default(-32000),
  message: z.string().default(''),
  data: z.unknown().optional(),
})

export const createAskChain =
  (upstreams: Upstreams, chainId: ChainId): AskChain =>
  async (calls) => {
    const texts = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) }))
    const answer = await upstreams.request(chainId, texts)
    if ('fault' in answer) throw rpcUnavailable(chainId)
    return answer.replies.map(({ result, error }) =>
      error === undefined
        ? { result: JSON.parse(result) as unknown }
        : { error: nodeError.parse(JSON.parse(error)) },
    )
  }
