import type { ChainId } from '@latchkey/wire'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

/** The nodes of one chain. */
export type SolanaNodes = { readonly upstreams: Upstreams; readonly chainId: ChainId }

type SolanaCall = { readonly method: string; readonly params: readonly unknown[] }

/**
 * A reply to one call: its result, or `unreadable` if the node returns an error or a response that
 * is too large.
 */
export type SolanaReply = { readonly result: unknown } | { readonly unreadable: true }

/**
 * The replies to all calls in their order, from a single request to one node, or from several if
 * the response is too large. Throws RPC_UNAVAILABLE if no node answers.
 */
export async function requestEachOfSolana(
  { upstreams, chainId }: SolanaNodes,
  calls: readonly SolanaCall[],
): Promise<SolanaReply[]> {
  if (calls.length === 0) return []
  const raw = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) }))
  const answer = await upstreams.read(chainId, raw)
  if ('fault' in answer && answer.fault === 'tooLarge') {
    if (calls.length === 1) return [{ unreadable: true }]
    // Anyone can choose how many transactions name an account, and the strings in them.
    const middle = Math.ceil(calls.length / 2)
    const first = await requestEachOfSolana({ upstreams, chainId }, calls.slice(0, middle))
    return [...first, ...(await requestEachOfSolana({ upstreams, chainId }, calls.slice(middle)))]
  }
  if ('fault' in answer) throw rpcUnavailable(chainId)
  return answer.replies.map(({ error, result }) =>
    error === undefined ? { result } : { unreadable: true },
  )
}

/**
 * The results of all calls, as {@link requestEachOfSolana}. Throws RPC_UNAVAILABLE if a call has no
 * result.
 */
export async function requestSolana(
  nodes: SolanaNodes,
  calls: readonly SolanaCall[],
): Promise<unknown[]> {
  const replies = await requestEachOfSolana(nodes, calls)
  return replies.map((reply) => {
    if ('unreadable' in reply) throw rpcUnavailable(nodes.chainId)
    return reply.result
  })
}
