import { type ParsedReply, type RpcReply, readReplies } from './readReplies.ts'
import type { NodeRequest, UpstreamFault } from './requestUpstream.ts'
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

/** Whether a call runs code, or searches, as much as its caller likes. */
export const isCostly = ({ method }: UpstreamCall): boolean => costly.test(method)

/** JSON-RPC calls, a batch where there are several, as one request. */
export const createRpcRequest = <Reply extends RpcReply | ParsedReply>(
  calls: readonly UpstreamCall[],
  { read, findFault: find, trim }: Reading<Reply>,
): NodeRequest<readonly Reply[]> => ({
  ...rpc,
  trim: trim && (() => createTrimmer(trim)),
  body: writeCalls(calls),
  isCostly: calls.some(isCostly),
  read: (text) => read(text, calls.length),
  isDoubtful: (replies) =>
    replies.some((reply, index) => find(reply, calls[index]?.method ?? '') !== undefined),
})

/** A question that shows whether a node works, such as for the chain that it serves; `params` is raw JSON. */
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
  isDoubtful: () => false,
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
