import type { ChainId } from '@latchkey/wire'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

/** The nodes of one chain. */
export type SolanaNodes = { readonly upstreams: Upstreams; readonly chainId: ChainId }

type SolanaCall = { readonly method: string; readonly params: readonly unknown[] }

/** The results of all calls, asked in one request of one node, or in several if the answer is too large. Throws RPC_UNAVAILABLE if one has none. */
export async function requestSolana(
  { upstreams, chainId }: SolanaNodes,
  calls: readonly SolanaCall[],
): Promise<unknown[]> {
  if (calls.length === 0) return []
  const raw = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) }))
  const answer = await upstreams.read(chainId, raw)
  if ('fault' in answer && answer.fault === 'tooLarge' && calls.length > 1) {
    // Strangers choose how many transactions name an account, and the texts in them.
    const middle = Math.ceil(calls.length / 2)
    const first = await requestSolana({ upstreams, chainId }, calls.slice(0, middle))
    return [...first, ...(await requestSolana({ upstreams, chainId }, calls.slice(middle)))]
  }
  if ('fault' in answer) throw rpcUnavailable(chainId)
  return answer.replies.map((reply) => {
    if (reply.error !== undefined) throw rpcUnavailable(chainId)
    return reply.result
  })
}
