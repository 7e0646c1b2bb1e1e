import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData, isHex } from 'viem/utils'
import { findReadFault, type ParsedReply } from '../nodes/readReplies.ts'
import type { UpstreamCall } from '../nodes/rpcRequest.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import { multicallAbi } from './abi.ts'
import { decodeAggregate, encodeAggregate } from './aggregate.ts'
import type { Hex } from './hex.ts'

/** One thing to read: a contract call, or the native balance of an address. */
export type ContractRead = { readonly to: Hex; readonly data: Hex } | { readonly balanceOf: Hex }

type Source = {
  readonly upstreams: Upstreams
  readonly chainId: ChainId
  readonly multicall3: Hex | undefined
  /**
   * How many calls may be spent to find contracts that make a call fail; results that remain
   * unknown are undefined.
   */
  readonly searches?: number
}

// A call of 1 000 balances stays well under the gas that nodes give eth_call.
const maxPerCall = 1_000
const maxPerBatch = 100
// Finding three contracts that spoil a call of 1 000 by bisection takes about 60 calls. A node that
// fails every call is not a source, and must not receive thousands of requests.
const defaultSearches = 64

/**
 * Reads many values in as few upstream calls as possible. A result is undefined if the call
 * reverted. Throws RPC_UNAVAILABLE if no upstream gives a usable response.
 */
export async function readContracts(
  source: Source,
  reads: readonly ContractRead[],
): Promise<(Hex | undefined)[]> {
  const { multicall3 } = source
  const size = multicall3 === undefined ? maxPerBatch : maxPerCall
  const results: (Hex | undefined)[] = []
  const search = { left: source.searches ?? defaultSearches, succeeded: false, answered: false }
  for (let start = 0; start < reads.length; start += size) {
    const part = reads.slice(start, start + size)
    search.answered = false
    results.push(
      ...(multicall3 === undefined
        ? await readBatch({ ...source, search }, part)
        : await readAggregate({ ...source, multicall3, search }, part)),
    )
    if (!search.answered) throw rpcUnavailable(source.chainId)
  }
  return results
}

/**
 * `answered`: a node has responded, even if only to report that a contract failed or returned too
 * much.
 */
type Search = { left: number; succeeded: boolean; answered: boolean }
type Searching = Source & { readonly search: Search }
type Aggregate = Searching & { readonly multicall3: Hex }

async function readAggregate(
  source: Aggregate,
  reads: readonly ContractRead[],
): Promise<(Hex | undefined)[]> {
  const { multicall3, search } = source
  const data = encodeAggregate(reads.map((read) => toCall(read, multicall3)))
  const [reply] = await request(source, [ethCall(multicall3, data)])
  const returned = getHexResult(reply)
  const results = returned && decodeAggregate(returned, reads.length)
  if (results !== undefined) {
    search.succeeded = true
    return results
  }
  // One contract used all the gas or returned megabytes: find it by bisection and keep the others.
  search.left -= 2
  if (reads.length === 1 || (search.left < 0 && search.succeeded)) return reads.map(() => undefined)
  if (search.left < 0) throw rpcUnavailable(source.chainId)
  const middle = Math.ceil(reads.length / 2)
  const firstHalf = await readAggregate(source, reads.slice(0, middle))
  return [...firstHalf, ...(await readAggregate(source, reads.slice(middle)))]
}

function toCall(read: ContractRead, multicall3: Hex): { target: Hex; callData: Hex } {
  if ('to' in read) return { target: read.to, callData: read.data }
  const callData = encodeFunctionData({
    abi: multicallAbi,
    functionName: 'getEthBalance',
    args: [read.balanceOf],
  })
  return { target: multicall3, callData }
}

async function readBatch(
  source: Searching,
  reads: readonly ContractRead[],
): Promise<(Hex | undefined)[]> {
  const calls = reads.map((read) =>
    'to' in read
      ? ethCall(read.to, read.data)
      : { method: 'eth_getBalance', params: JSON.stringify([read.balanceOf, 'latest']) },
  )
  return (await request(source, calls)).map((reply) => getHexResult(reply))
}

const ethCall = (to: Hex, data: Hex): UpstreamCall => ({
  method: 'eth_call',
  // Hex needs no escaping, and searching 80 kB for characters to escape takes time.
  params: `[{"to":"${to}","data":"${data}"},"latest"]`,
})

async function request(
  { upstreams, chainId, search }: Searching,
  calls: readonly UpstreamCall[],
): Promise<readonly (ParsedReply | undefined)[]> {
  const answer = await upstreams.read(chainId, calls)
  if ('replies' in answer) {
    search.answered ||= answer.replies.some(isAnswer)
    return answer.replies
  }
  if (answer.fault !== 'tooLarge') throw rpcUnavailable(chainId)
  search.answered = true
  return calls.map(() => undefined)
}

const isAnswer = (reply: ParsedReply) =>
  reply.error === undefined
    ? getHexResult(reply) !== undefined
    : findReadFault(reply, 'eth_call') === undefined

const getHexResult = (reply: ParsedReply | undefined): Hex | undefined =>
  isHex(reply?.result, { strict: false }) ? reply.result : undefined
