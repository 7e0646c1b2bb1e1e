import { type ChainId, isError } from '@latchkey/wire'
import type { Hex } from '../../evm/hex.ts'
import type { ParsedReply } from '../../nodes/readReplies.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { Trim } from '../../nodes/trimAnswer.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'

/** A call with parameters that are not JSON yet. */
export type NodeCall = { readonly method: string; readonly params: readonly unknown[] }

/** A node's reply to one call; `refused` if it is an error. */
export type NodeReply = { readonly result: unknown } | { readonly refused: true }

/**
 * A reply to one call alone: `trimmed` if its logs and long strings were dropped, `unreadable` if
 * it is still too large or the node gives an error.
 */
export type SingleReply =
  | { readonly result: unknown; readonly trimmed: boolean }
  | { readonly unreadable: true }

/** The nodes of one chain and their settings, for the indexer. */
export type Node = {
  readonly upstreams: Upstreams
  readonly chainId: ChainId
  /** The contract that wraps the native currency, if it is known. */
  readonly wrappedNative: Hex | undefined
  /** False if the operator does not want traces to be requested. */
  readonly traces?: boolean | undefined
}

/**
 * For answers that are too large: the sender of a transaction chooses the number of its logs and
 * the size of its calldata.
 */
const trim: Trim = { emptied: 'logs', maxString: 1_024 }

/**
 * Sends calls to the chain's nodes. Returns the replies in the order of the calls, or `tooLarge` if
 * the response exceeds the limit. Throws RPC_UNAVAILABLE if no node answers.
 */
export async function requestNode(
  { upstreams, chainId }: Node,
  calls: readonly NodeCall[],
  trimming?: Trim,
): Promise<readonly NodeReply[] | 'tooLarge'> {
  if (calls.length === 0) return []
  const raw = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) }))
  const answer = await upstreams.read(chainId, raw, trimming)
  if ('replies' in answer) return answer.replies.map(toNodeReply)
  if (answer.fault === 'tooLarge') return 'tooLarge'
  throw rpcUnavailable(chainId)
}

/**
 * The replies to all calls, in smaller batches if a node refuses the number of calls or the
 * response is too large. The response to a single call is trimmed if it is too large. Throws
 * RPC_UNAVAILABLE if no node answers.
 */
export async function requestEach(node: Node, calls: readonly NodeCall[]): Promise<SingleReply[]> {
  const replies = await requestNode(node, calls)
  if (replies !== 'tooLarge' && (calls.length < 2 || !replies.some(isRefused)))
    return replies.map((reply) => toSingle(reply, false))
  if (calls.length < 2) {
    const trimmed = await requestNode(node, calls, trim)
    return trimmed === 'tooLarge'
      ? [{ unreadable: true }]
      : trimmed.map((reply) => toSingle(reply, true))
  }
  const middle = Math.ceil(calls.length / 2)
  const first = await requestEach(node, calls.slice(0, middle))
  return [...first, ...(await requestEach(node, calls.slice(middle)))]
}

/**
 * The results of all calls, as {@link requestEach}. Throws RPC_UNAVAILABLE if any call has no
 * result.
 */
export async function requestAll(node: Node, calls: readonly NodeCall[]): Promise<unknown[]> {
  const replies = await requestEach(node, calls)
  return replies.map((reply) => {
    if ('unreadable' in reply) throw rpcUnavailable(node.chainId)
    return reply.result
  })
}

/** The node gave an error. */
export const isRefused = (reply: NodeReply) => 'refused' in reply

const toNodeReply = ({ result }: ParsedReply): NodeReply =>
  result === undefined ? { refused: true } : { result }

const toSingle = (reply: NodeReply, trimmed: boolean): SingleReply =>
  'result' in reply ? { result: reply.result, trimmed } : { unreadable: true }

/** Whether an error means that the nodes do not answer or contradict each other. */
export const isNodeFault = (error: unknown) =>
  isError(error, 'RPC_UNAVAILABLE') || error instanceof TypeError
