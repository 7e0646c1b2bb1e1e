import { type ChainId, LatchkeyError } from '@latchkey/wire'
import { isHex } from 'viem/utils'
import { type ParsedReply, readFaultIn } from '../nodes/readReplies.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

type Hex = `0x${string}`

/** A read of a contract. */
export type Call = { readonly to: Hex; readonly data: Hex }

/** What came of a call: what it returned or reverted with; undefined where that is nothing or too much to be read. */
export type Called = { readonly returned: Hex } | { readonly reverted: Hex } | undefined

// A contract may return megabytes; no record is that long.
const mostCharacters = 300_000

/** Calls contracts at the newest block, all in one request. Throws RPC_UNAVAILABLE when no upstream answers each of them. */
export async function callContracts(
  { upstreams, chainId }: { readonly upstreams: Upstreams; readonly chainId: ChainId },
  calls: readonly Call[],
): Promise<Called[]> {
  if (calls.length === 0) return []
  const answer = await upstreams.read(
    chainId,
    calls.map((call) => ({ method: 'eth_call', params: JSON.stringify([call, 'latest']) })),
  )
  if ('replies' in answer && !answer.replies.some(readFaultIn)) return answer.replies.map(calledOf)
  if (!('fault' in answer) || answer.fault !== 'tooLarge')
    throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
  if (calls.length === 1) return [undefined]
  // One of them spoils it for all.
  const alone = await Promise.all(
    calls.map((call) => callContracts({ upstreams, chainId }, [call])),
  )
  return alone.flat()
}

function calledOf({ result, error }: ParsedReply): Called {
  if (error === undefined) {
    const isShort = typeof result === 'string' && result.length <= mostCharacters
    return isShort && isHex(result) && result !== '0x' ? { returned: result } : undefined
  }
  const data = error.length > mostCharacters ? undefined : revertDataIn(JSON.parse(error))
  return data === undefined ? undefined : { reverted: data }
}

/** Nodes put it in `data`, some of them in another object within. */
function revertDataIn(error: unknown): Hex | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  if (isHex(error.data)) return error.data
  return revertDataIn(error.data)
}
