import { type ChainId, isError } from '@latchkey/wire'
import type { ParsedReply } from '../../nodes/readReplies.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'

/** A call with parameters that are not JSON yet. */
export type NodeCall = { readonly method: string; readonly params: readonly unknown[] }

/** A node's reply to one call; `refused` if it is an error. */
export type NodeReply = { readonly result: unknown } | { readonly refused: true }

/** The nodes of one chain, as the indexer uses them. */
export type Node = { readonly upstreams: Upstreams; readonly chainId: ChainId }

/**
 * Asks the chain's nodes, the replies in order of the calls; `tooLarge` if the answer exceeds the limit. Throws
 * RPC_UNAVAILABLE when none answers.
 */
export async function requestNode(
  { upstreams, chainId }: Node,
  calls: readonly NodeCall[],
): Promise<readonly NodeReply[] | 'tooLarge'> {
  if (calls.length === 0) return []
  const raw = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) }))
  const answer = await upstreams.read(chainId, raw)
  if ('replies' in answer) return answer.replies.map(toNodeReply)
  if (answer.fault === 'tooLarge') return 'tooLarge'
  throw rpcUnavailable(chainId)
}

/**
 * The results of all calls, in smaller bodies where a node finds them too many or the answer is too large. Throws
 * RPC_UNAVAILABLE when one has no result.
 */
export async function requestAll(node: Node, calls: readonly NodeCall[]): Promise<unknown[]> {
  const replies = await requestNode(node, calls)
  if (replies !== 'tooLarge' && !replies.some(isRefused))
    return replies.map((reply) => ('result' in reply ? reply.result : undefined))
  if (calls.length < 2) throw rpcUnavailable(node.chainId)
  const middle = Math.ceil(calls.length / 2)
  const first = await requestAll(node, calls.slice(0, middle))
  return [...first, ...(await requestAll(node, calls.slice(middle)))]
}

/** The node gave an error. */
export const isRefused = (reply: NodeReply) => 'refused' in reply

const toNodeReply = ({ result }: ParsedReply): NodeReply =>
  result === undefined ? { refused: true } : { result }

/** Whether an error means that the nodes do not answer or contradict each other. */
export const isNodeFault = (error: unknown) =>
  isError(error, 'RPC_UNAVAILABLE') || error instanceof TypeError
