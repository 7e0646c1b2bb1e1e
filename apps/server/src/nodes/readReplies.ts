import { refusesBatch } from '@latchkey/wire'
import { splitArray, splitObject } from '../scanJson.ts'
import type { UpstreamFault } from './requestUpstream.ts'

/**
 * An error object as raw JSON; `unanswered` if it does not answer the call itself, but refuses the
 * batch, or the whole request.
 */
type ErrorReply = {
  readonly error: string
  readonly result?: never
  readonly unanswered?: true
}

/** A node's reply to one call: raw JSON of its result or of its error object. */
export type RpcReply =
  | { readonly result: string; readonly error?: never; readonly unanswered?: never }
  | ErrorReply

/** Like {@link RpcReply}, with the result parsed. */
export type ParsedReply =
  | { readonly result: unknown; readonly error?: never; readonly unanswered?: never }
  | ErrorReply

/** Reads a node's response to `count` calls with the ids 1 to `count`, in the order of the ids. */
export function readReplies(text: string, count: number): RpcReply[] | UpstreamFault {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'notJson'
  }
  if (typeof json !== 'object' || json === null) return 'notJson'
  const parts = Array.isArray(json) ? splitArray(text) : [text]
  const byId = new Map<string, RpcReply>()
  for (const part of parts) {
    if (!part.startsWith('{') && parts.length > 1) return 'notJson'
    const fields = new Map(splitObject(part))
    const reply = toReply(fields)
    if (reply !== undefined) byId.set(fields.get('id') ?? 'null', reply)
  }
  return orderReplies(byId, count)
}

/**
 * Like {@link readReplies}, for responses that are not passed on: parsed once, so numbers beyond
 * 2^53 are rounded.
 */
export function parseReplies(text: string, count: number): ParsedReply[] | UpstreamFault {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'notJson'
  }
  const byId = new Map<string, ParsedReply>()
  for (const part of Array.isArray(json) ? json : [json]) {
    if (typeof part !== 'object' || part === null) return 'notJson'
    const { id = null, result, error } = part as Readonly<Record<string, unknown>>
    if (typeof error === 'object' && error !== null)
      byId.set(String(id), { error: JSON.stringify(error) })
    else if (result !== undefined) byId.set(String(id), { result })
  }
  return orderReplies(byId, count)
}

function toReply(fields: Map<string, string>): RpcReply | undefined {
  const error = fields.get('error')
  if (error?.startsWith('{')) return { error }
  const result = fields.get('result')
  return result === undefined ? undefined : { result }
}

function orderReplies<Reply extends RpcReply | ParsedReply>(
  byId: ReadonlyMap<string, Reply>,
  count: number,
): (Reply | ErrorReply)[] | UpstreamFault {
  // One error without an id applies to all calls: the node refused the body as a whole.
  const whole = byId.get('null')?.error
  const replies: (Reply | ErrorReply)[] = []
  for (let id = 1; id <= count; id++) {
    const own = byId.get(String(id))
    const missing = whole ?? (count > 1 ? leftOut : undefined)
    if (own === undefined && missing === undefined) return 'notJson'
    const reply = own ?? { error: missing ?? leftOut, unanswered: true }
    const isRefused = isBatchError(reply)
    if (!isRefused && findFault(reply) === 'quota') return 'quota'
    replies.push(count > 1 && isRefused ? { ...reply, unanswered: true } : reply)
  }
  return replies
}

const leftOut = '{"code":-32603,"message":"The node did not answer this call of a batch"}'

/**
 * Whether an error refers to the batch, not to the call: its number of calls, or the size of all
 * its results (go-ethereum).
 */
export const isBatchError = ({ error }: RpcReply | ParsedReply): boolean =>
  error !== undefined &&
  (refusesBatch(error) || (/response too large/i.test(error) && !/revert/i.test(error)))

const quotaError =
  /rate.?limit|too many requests|quota|(?:daily|monthly|request|credit|plan).{0,20}(?:limit|exceeded)|upgrade your plan|unsupported plan/i
const nodeError =
  /try again later|header not found|missing trie node|cannot unmarshal|temporarily unavailable|no (?:healthy )?upstream|node is (?:syncing|behind|unhealthy)/i

// A node's error about a transaction; it may contain a contract's message.
const transactionError = /revert|^transaction (?:simulation|signature|precompile)/i

/**
 * Whether an error is a problem of the node itself (its quota, its state) and not the result of the
 * call.
 */
export function findFault(reply: RpcReply | ParsedReply): 'quota' | 'nodeFault' | undefined {
  if (reply.error === undefined) return undefined
  const { code, message } = JSON.parse(reply.error) as { code?: unknown; message?: unknown }
  if (typeof code !== 'number' || typeof message !== 'string') return
  if (transactionError.test(message)) return undefined
  if (code === 429) return 'quota'
  if (code > -32000 || code < -32099) return undefined
  if (quotaError.test(message)) return 'quota'
  return nodeError.test(message) ? 'nodeFault' : undefined
}

// Errors that a contract or its caller caused, in the words of the common nodes. A contract may
// append any message.
const executionError =
  /revert|out ?of ?gas|gas (?:required|limit|too low)|opcode|invalid jump|stack ?(?:under|over)flow|memory limit|\be?vm\b|execution|contract/i

// Errors about the state of a node, in the words of the common nodes.
const stateError =
  /(?:header|block|state|hash|trie node|root|ancestor|resource|data)\b.{0,80}\b(?:not found|not available|unavailable|missing|unknown|pruned|pruning)|(?:missing|unknown|incorrect|no|pruned) (?:head )?(?:block|header|state|trie)|historical|sync|ahead|unhealthy|overloaded|capacity|shutting down|shutdown|database|leveldb|mdbx|pebble|rocksdb|internal (?:error|failure|server)|blocking task|too many|connection|not (?:supported|implemented|allowed|enabled)|unauthorized|forbidden|api key/i

/** The JSON-RPC codes of a request that a node does not understand. No contract causes these. */
const isProtocolCode = (code: unknown) => code === -32700 || code === -32600 || code === -32601

/**
 * Like {@link findFault}, for the server's own reads: an error that no contract caused does not
 * count as a result. Nodes report errors of contracts in many words, so for `methods` that run code
 * an error is a fault only if it is known as one.
 */
export function findReadFault(
  reply: RpcReply | ParsedReply,
  method?: string,
): UpstreamFault | undefined {
  if (reply.error === undefined) return undefined
  const { code, message, data } = JSON.parse(reply.error) as Readonly<Record<string, unknown>>
  if (code === 3 || (typeof data === 'string' && data.startsWith('0x'))) return undefined
  if (typeof message === 'string' && executionError.test(message)) return undefined
  const fault = findFault(reply)
  if (fault !== undefined || method === undefined || !runsCode.test(method))
    return fault ?? 'nodeFault'
  const isFault = typeof message !== 'string' || isProtocolCode(code) || stateError.test(message)
  return isFault ? 'nodeFault' : undefined
}

const runsCode = /^(?:eth_(?:call|estimateGas|createAccessList|simulateV1)|debug_traceCall)$/
