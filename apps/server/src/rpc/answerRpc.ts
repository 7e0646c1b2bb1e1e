import {
  type ChainId,
  type ErrorCode,
  errorStatus,
  errors,
  LatchkeyError,
  parseChainId,
  rpcCodes,
} from '@latchkey/wire'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { MemoryReservation } from '../http/createResponseMemory.ts'
import { busy, type Failure } from '../http/failure.ts'
import { isCostly } from '../nodes/rpcRequest.ts'
import type { UpstreamReplies, Upstreams } from '../nodes/upstreams.ts'
import { QueueFull } from '../shares/createFairQueue.ts'
import { boundCalls } from './boundCalls.ts'
import { getRpcProtocol } from './getRpcProtocol.ts'
import type { RpcBody, RpcCall } from './parseCalls.ts'

/** The most calls in one body. */
export const maxBatch = 100

/** A configured chain, and whether it is a test network. */
export type RpcChain = { readonly chainId: ChainId; readonly testnet: boolean }

/** The body of a JSON-RPC response, or the failure of the whole request. */
export type RpcResponse =
  | { readonly status: ContentfulStatusCode; readonly body: string }
  | { readonly failure: Failure }

/**
 * Handles a JSON-RPC body for a configured chain. `undefined` stands for a body that is not valid
 * JSON-RPC. Calls that need no node are answered here, allowed methods by the chain's upstreams,
 * all others with an error. `client` is the client's address; `reservation` accounts for the memory
 * of the responses. Ids are returned character by character, responses in the order of the calls.
 */
export async function answerRpc(
  upstreams: Upstreams,
  chain: RpcChain,
  body: RpcBody | undefined,
  {
    client,
    reservation,
  }: { readonly client: string; readonly reservation?: MemoryReservation | undefined },
): Promise<RpcResponse> {
  if (body === undefined) return toRpcError('PARSE_ERROR')
  if (body.calls.length === 0) return toRpcError('INVALID_REQUEST', 'The batch is empty')
  if (body.calls.length > maxBatch)
    return toRpcError('INVALID_REQUEST', `The batch has more than ${maxBatch} calls`)
  const texts = body.calls.map((call) => answerLocally(chain, call))
  const forwarded = body.calls.filter((call, index) => isCall(call) && texts[index] === undefined)
  if (forwarded.length > 0) {
    const { chainId } = chain
    const calls = forwarded.filter(isCall)
    const answer = await askNodes(upstreams, {
      chainId,
      calls: boundCalls(calls),
      client,
      reservation,
    })
    if ('fault' in answer && answer.fault === 'busy') return { failure: busy }
    if ('fault' in answer && answer.fault !== 'tooLarge') return unavailable(chainId, answer)
    const replies = calls.map((call, index) => replyText(call.id, answer, index))
    for (const [index, text] of texts.entries())
      if (text === undefined) texts[index] = replies.shift()
  }
  return finish(body, texts)
}

type RpcParameters = {
  readonly chainId: ChainId
  readonly calls: readonly RpcCall[]
  readonly client: string
  readonly reservation: MemoryReservation | undefined
}

/**
 * Requests that run code or search wait for their turn, so that they do not delay requests that
 * only read.
 */
async function askNodes(
  upstreams: Upstreams,
  { chainId, calls, client, reservation }: RpcParameters,
): Promise<UpstreamReplies> {
  const ask = () => upstreams.request(chainId, calls, reservation)
  if (!calls.some(isCostly)) return ask()
  try {
    return await upstreams.inTurn(chainId, client, ask)
  } catch (error) {
    if (error instanceof QueueFull) return { fault: 'busy', retryAfterSeconds: 1 }
    throw error
  }
}

const isCall = (call: RpcBody['calls'][number]): call is RpcCall => call.method !== undefined

function answerLocally(
  { chainId, testnet }: RpcChain,
  call: RpcBody['calls'][number],
): string | undefined {
  if (!isCall(call)) return errorText(call.id, 'INVALID_REQUEST')
  const protocol = getRpcProtocol(chainId)
  const local = protocol?.localResult(parseChainId(chainId).reference, call.method)
  if (local !== undefined) return `{"jsonrpc":"2.0","id":${call.id},"result":${local}}`
  if (protocol?.methods.has(call.method)) return undefined
  if (testnet && protocol?.testnetMethods.has(call.method)) return undefined
  const method = call.method.slice(0, 64)
  const { message } = new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
  return errorText(call.id, 'METHOD_NOT_FOUND', message)
}

function replyText(id: string, answer: UpstreamReplies, index: number): string {
  const reply = 'replies' in answer ? answer.replies[index] : undefined
  if (reply?.error !== undefined) return `{"jsonrpc":"2.0","id":${id},"error":${reply.error}}`
  if (reply !== undefined) return `{"jsonrpc":"2.0","id":${id},"result":${reply.result}}`
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32005,"message":"The response is too large. Request less data"}}`
}

type RpcErrorCode = 'PARSE_ERROR' | 'INVALID_REQUEST' | 'METHOD_NOT_FOUND'

/** A JSON-RPC error object. Code and default text come from the error table. */
export const errorText = (
  id: string,
  code: RpcErrorCode & ErrorCode,
  message: string = errors[code],
): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: rpcCodes[code], message })}}`

const toRpcError = (code: RpcErrorCode, message?: string): RpcResponse => ({
  status: errorStatus[code],
  body: errorText('null', code, message),
})

function finish({ batch, calls }: RpcBody, texts: (string | undefined)[]): RpcResponse {
  if (batch) return { status: 200, body: `[${texts.join(',')}]` }
  const invalid = calls[0]?.method === undefined
  return { status: invalid ? errorStatus.INVALID_REQUEST : 200, body: texts[0] ?? 'null' }
}

const unavailable = (
  chainId: ChainId,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): RpcResponse => ({
  failure: {
    status: 503,
    field: 'chainId',
    description: `Requested ${chainId} chain provider is temporarily unavailable`,
    retryAfterSeconds,
  },
})
