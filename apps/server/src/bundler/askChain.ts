import type { ChainId } from '@latchkey/wire'
import * as z from 'zod'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

/**
 * What a node said to a call: its result, or its error with the data that a contract reverted with.
 */
export type ChainReply =
  | { readonly result: unknown; readonly error?: never }
  | { readonly error: z.infer<typeof nodeError>; readonly result?: never }

/**
 * Asks the nodes of one chain, all calls in one request. Throws RPC_UNAVAILABLE where none answers.
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
