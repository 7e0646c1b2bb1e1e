import type { ChainId } from '@latchkey/wire'
import { isHex } from 'viem/utils'
import { findReadFault, type ParsedReply } from '../nodes/readReplies.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Hex } from './hex.ts'

/** A read of a contract. */
export type ContractCall = { readonly to: Hex; readonly data: Hex }

/** The result of a call: its return or revert data; undefined if that is empty or too long. */
export type CallResult = { readonly returned: Hex } | { readonly reverted: Hex } | undefined

// A contract may return megabytes. No record is that long.
const maxCharacters = 300_000

/**
 * Calls contracts at the newest block, all in one request. Throws RPC_UNAVAILABLE if no upstream
 * answers every call.
 */
export async function callContracts(
  { upstreams, chainId }: { readonly upstreams: Upstreams; readonly chainId: ChainId },
  calls: readonly ContractCall[],
): Promise<CallResult[]> {
  if (calls.length === 0) return []
  const answer = await upstreams.read(
    chainId,
    calls.map((call) => ({ method: 'eth_call', params: JSON.stringify([call, 'latest']) })),
  )
  if ('replies' in answer && !answer.replies.some((reply) => findReadFault(reply, 'eth_call')))
    return answer.replies.map(toCallResult)
  if (!('fault' in answer) || answer.fault !== 'tooLarge') throw rpcUnavailable(chainId)
  if (calls.length === 1) return [undefined]
  // A single call makes the whole response unusable, so send each alone.
  const alone = await Promise.all(
    calls.map((call) => callContracts({ upstreams, chainId }, [call])),
  )
  return alone.flat()
}

function toCallResult({ result, error }: ParsedReply): CallResult {
  if (error === undefined) {
    const isShort = typeof result === 'string' && result.length <= maxCharacters
    return isShort && isHex(result) && result !== '0x' ? { returned: result } : undefined
  }
  const data = error.length > maxCharacters ? undefined : findRevertData(JSON.parse(error))
  return data === undefined ? undefined : { reverted: data }
}

/** Nodes put it in `data`, some of them in a nested object. */
function findRevertData(error: unknown): Hex | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  if (isHex(error.data)) return error.data
  return findRevertData(error.data)
}
