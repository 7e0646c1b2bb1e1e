import { type ChainId, LatchkeyError } from '@latchkey/wire'
import { isHex } from 'viem/utils'
import type { RpcReply } from '../rpc/readReplies.ts'
import type { Upstreams } from '../rpc/upstreams.ts'

type Hex = `0x${string}`

/** A read of a contract. */
export type Call = { readonly to: Hex; readonly data: Hex }

/** What came of a call: what it returned or reverted with; undefined where that is nothing or too much to be read. */
export type Called = { readonly returned: Hex } | { readonly reverted: Hex } | undefined

// A contract may return megabytes; no record is that long.
const mostCharacters = 300_000

/** Calls contracts at the newest block, all in one request. Throws RPC_UNAVAILABLE when no upstream answers. */
export async function callContracts(
  { upstreams, chainId }: { readonly upstreams: Upstreams; readonly chainId: ChainId },
  calls: readonly Call[],
): Promise<Called[]> {
  if (calls.length === 0) return []
  const answer = await upstreams.request(
    chainId,
    calls.map((call) => ({ method: 'eth_call', params: JSON.stringify([call, 'latest']) })),
  )
  if ('replies' in answer) return answer.replies.map(calledOf)
  if (answer.fault !== 'tooLarge')
    throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
  if (calls.length === 1) return [undefined]
  // One of them spoils it for all.
  const alone = await Promise.all(
    calls.map((call) => callContracts({ upstreams, chainId }, [call])),
  )
  return alone.flat()
}

function calledOf(reply: RpcReply): Called {
  const text = reply.result ?? reply.error
  if (text.length > mostCharacters) return undefined
  const json: unknown = JSON.parse(text)
  if (reply.result !== undefined)
    return isHex(json) && json !== '0x' ? { returned: json } : undefined
  const data = revertDataIn(json)
  return data === undefined ? undefined : { reverted: data }
}

/** Nodes put it in `data`, some of them in another object within. */
function revertDataIn(error: unknown): Hex | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  if (isHex(error.data)) return error.data
  return revertDataIn(error.data)
}
