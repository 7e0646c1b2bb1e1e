import { refusesBatch } from '@latchkey/wire'
import { type ParsedReply, type RpcReply, readReplies } from './readReplies.ts'
import {
  type NodeRequest,
  type Splitting,
  toStatusFault,
  type UpstreamFault,
} from './requestUpstream.ts'
import { sendBatch } from './sendBatch.ts'
import { createTrimmer, type Trim } from './trimAnswer.ts'

/** A call as a node gets it; `params` is raw JSON. */
export type UpstreamCall = { readonly method: string; readonly params: string | undefined }

type Reading<Reply> = {
  read(text: string, count: number): readonly Reply[] | UpstreamFault
  findFault(reply: RpcReply | ParsedReply, method: string): UpstreamFault | undefined
  readonly trim?: Trim | undefined
}

const costly =
  /^(?:eth_(?:call|estimateGas|createAccessList|simulateV1|getLogs|getFilterLogs|getProof)|debug_\w+|trace_\w+|simulateTransaction|getProgramAccounts)$/

/** Whether a call runs code or searches, so that its caller decides how much work it is. */
export const isCostly = ({ method }: UpstreamCall): boolean => costly.test(method)

/** HTTP statuses of nodes that refuse a batch but answer its calls individually. */
const batchStatuses = [400, 405, 413, 415, 422, 501]
/** HTTP statuses that refuse a batch only if the response contains words about batches. */
const doubtfulStatuses = [403, 429, 500, 503]

/**
 * Creates one request for JSON-RPC calls: a batch if there are several, which {@link sendBatch}
 * splits if the node refuses it.
 */
export function createRpcRequest<Reply extends RpcReply | ParsedReply>(
  calls: readonly UpstreamCall[],
  reading: Reading<Reply>,
): NodeRequest<readonly Reply[]> {
  const { read, findFault: find, trim } = reading
  const isBatch = calls.length > 1
  const refuses = (status: number, text: string) =>
    !doubtfulStatuses.includes(status) || refusesBatch(text.slice(0, 1000))
  return {
    ...rpc,
    ...(isBatch && { statuses: [...batchStatuses, ...doubtfulStatuses] }),
    trim: trim && (() => createTrimmer(trim)),
    body: writeCalls(calls),
    isCostly: calls.some(isCostly),
    read: (text, status) =>
      refuses(status, text) ? read(text, calls.length) : toStatusFault(status),
    isInconclusive: (replies) =>
      replies.some((reply, index) => find(reply, calls[index]?.method ?? '') !== undefined),
    ...(isBatch && {
      sendSplit: (splitting: Splitting<readonly Reply[]>) =>
        sendBatch(calls, (part) => createRpcRequest(part, reading), splitting),
    }),
  }
}

/**
 * A request that shows whether a node works, for example for the id of its chain; `params` is raw
 * JSON.
 */
export const createProbeRequest = (
  method: string,
  params = '[]',
): NodeRequest<{ readonly reported: string }> => ({
  ...rpc,
  body: writeCalls([{ method, params }]),
  read(text) {
    const replies = readReplies(text, 1)
    if (typeof replies === 'string') return replies
    const reported = replies[0]?.result
    return reported === undefined ? 'nodeFault' : { reported }
  },
  isInconclusive: () => false,
})

// A node may answer an error with status 400.
const rpc = { method: 'POST', path: '', contentType: 'application/json', statuses: [400] } as const

function writeCalls(calls: readonly UpstreamCall[]): string {
  const bodies = calls.map(
    ({ method, params }, index) =>
      `{"jsonrpc":"2.0","id":${index + 1},"method":${JSON.stringify(method)}${
        params === undefined ? '' : `,"params":${params}`
      }}`,
  )
  return bodies.length === 1 ? `${bodies[0]}` : `[${bodies.join(',')}]`
}
