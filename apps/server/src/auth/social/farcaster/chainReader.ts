import type { ChainId } from '@latchkey/wire'
import { type ParsedReply, parseReplies } from '../../../nodes/readReplies.ts'
import type { UpstreamCall } from '../../../nodes/rpcRequest.ts'
import { rpcUnavailable } from '../../../nodes/rpcUnavailable.ts'
import type { UpstreamReplies } from '../../../nodes/upstreams.ts'

const timeoutMs = 5_000
const chainId: ChainId = 'eip155:10'

/** Reads contracts of Farcaster's chain, which is not among the networks that visitors can use. */
export type ChainReader = {
  read(chainId: ChainId, calls: readonly UpstreamCall[]): Promise<UpstreamReplies<ParsedReply>>
  /** The return data of a contract call. Throws `RPC_UNAVAILABLE`. */
  call(to: string, data: `0x${string}`): Promise<`0x${string}`>
}

/** Opens a reader on one node. */
export function openChainReader(rpcUrl: string): ChainReader {
  const readOne = async ({ method, params }: UpstreamCall) => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const replies = parseReplies(await response.text(), 1)
    if (typeof replies === 'string') throw rpcUnavailable(chainId)
    return replies
  }
  const read: ChainReader['read'] = async (_, calls) => {
    try {
      // Some nodes accept no batches.
      return { replies: (await Promise.all(calls.map(readOne))).flat() }
    } catch {
      return { fault: 'none', retryAfterSeconds: 0 }
    }
  }
  return {
    read,
    async call(to, data) {
      const params = JSON.stringify([{ to, data }, 'latest'])
      const answer = await read(chainId, [{ method: 'eth_call', params }])
      const reply = 'fault' in answer ? undefined : answer.replies[0]
      const { result } = reply ?? {}
      if (typeof result !== 'string' || !/^0x[0-9a-f]*$/i.test(result))
        throw rpcUnavailable(chainId)
      return result as `0x${string}`
    },
  }
}
