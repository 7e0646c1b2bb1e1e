import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import { decodeAggregate, encodeAggregate } from '../../evm/aggregate.ts'
import { decodeUint } from '../../evm/decodeResult.ts'
import type { Hex } from '../../evm/hex.ts'
import { hexQuantity } from '../../evm/schemas.ts'
import type { ParsedReply } from '../../nodes/readReplies.ts'
import type { UpstreamCall } from '../../nodes/rpcRequest.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import { poolAbi } from '../../prices/abi.ts'
import type { Ratio } from '../../prices/poolState.ts'
import { clockAbi } from './abi.ts'
import type { Path } from './findPaths.ts'
import { getMidOutput, quotePairs, readHops } from './hops.ts'
import { type Arrival, type Probe, parseProbe, toProbeCall } from './probeTransfer.ts'
import { decodeQuote, encodeQuotes } from './quoterCalls.ts'

/** The number of equal parts into which an amount is divided. */
export const parts = 10

/**
 * The outputs of a path for 1 … {@link parts} parts of the amount, undefined for amounts that the
 * path cannot take. `midOutput` is the output for the whole amount at mid prices.
 */
export type PathQuote = {
  readonly path: Path
  readonly outputs: readonly (bigint | undefined)[]
  readonly gas: readonly bigint[]
  /** After the pools' fees. */
  readonly midOutput: bigint
  /** The mid price of each pool: output per input. */
  readonly prices: readonly Ratio[]
}

/** All values that were read, in one block. */
export type SwapMarket = {
  readonly block: bigint
  readonly timestampSeconds: bigint
  /** Undefined if it was not requested, or if the node does not report it. */
  readonly gasPriceWei: bigint | undefined
  readonly quotes: readonly PathQuote[]
  /** For each probed token. */
  readonly arrivals: readonly Arrival[]
}

type Chain = {
  readonly upstreams: Upstreams
  readonly chainId: ChainId
  readonly multicall3: Hex
  readonly quoter: Hex | undefined
}
type MarketParameters = {
  readonly paths: readonly Path[]
  readonly amount: bigint
  readonly probes: readonly Probe[]
  readonly asksGasPrice: boolean
}

/** Part `index` + 1 of {@link parts} of an amount, rounded down; the last is the whole. */
export const getShare = (amount: bigint, index: number): bigint =>
  (amount * BigInt(index + 1)) / BigInt(parts)

/**
 * Reads, in one request and one block, the outputs of each path for each part of the amount, the
 * mid prices, whether the probed tokens arrive whole, and the gas price if requested. Throws
 * RPC_UNAVAILABLE.
 */
export async function readSwapMarket(
  chain: Chain,
  question: MarketParameters,
): Promise<SwapMarket> {
  const { paths, amount, probes, asksGasPrice } = question
  const calls: { target: Hex; callData: Hex }[] = []
  const read = (target: Hex, callData: Hex) => calls.push({ target, callData }) - 1
  const { multicall3 } = chain
  const atBlock = read(multicall3, blockCall)
  const atTime = read(multicall3, timeCall)
  const states = new Map<Hex, number>()
  for (const { version, pools } of paths)
    for (const { address } of pools)
      if (!states.has(address)) states.set(address, read(address, stateCalls[version]))
  const shares = Array.from({ length: parts }, (_, index) => getShare(amount, index))
  const quoterReads = paths.map((path) => {
    const { quoter } = chain
    if (path.version === 'v2' || quoter === undefined) return []
    return encodeQuotes(path, shares).map((data) => read(quoter, data))
  })
  const replies = await request(chain, [
    ethCall(multicall3, encodeAggregate(calls)),
    ...probes.map(toProbeCall),
    ...(asksGasPrice ? [{ method: 'eth_gasPrice', params: '[]' }] : []),
  ])
  const results = decodeResults(replies[0], calls.length)
  const block = decodeUint(results?.[atBlock])
  const timestampSeconds = decodeUint(results?.[atTime])
  if (results === undefined || block === undefined || timestampSeconds === undefined)
    throw rpcUnavailable(chain.chainId)
  const quotes = paths.flatMap((path, index) => {
    const stateData = path.pools.map(({ address }) => results[states.get(address) ?? -1])
    const hops = readHops(path, stateData)
    if (hops === undefined) return []
    const quoted =
      path.version === 'v2'
        ? shares.map((share) => quotePairs(hops, share))
        : (quoterReads[index] ?? []).map((at) => decodeQuote(results[at]))
    return [
      {
        path,
        outputs: quoted.map((one) => one?.output),
        gas: quoted.map((one) => one?.gas ?? 0n),
        midOutput: getMidOutput(hops, amount),
        prices: hops.map(({ price }) => price),
      },
    ]
  })
  const arrivals = probes.map((probe, index) => parseProbe(probe, replies[index + 1]))
  const gasPriceWei = hexQuantity.safeParse(replies[probes.length + 1]?.result).data
  return { block, timestampSeconds, gasPriceWei, quotes, arrivals }
}

async function request({ upstreams, chainId }: Chain, calls: readonly UpstreamCall[]) {
  const answer = await upstreams.read(chainId, calls)
  if (!('replies' in answer)) throw rpcUnavailable(chainId)
  return answer.replies
}

function decodeResults(reply: ParsedReply | undefined, count: number) {
  const result = reply?.error === undefined ? reply?.result : undefined
  return typeof result === 'string' && result.startsWith('0x')
    ? decodeAggregate(result as Hex, count)
    : undefined
}

const blockCall = encodeFunctionData({ abi: clockAbi, functionName: 'getBlockNumber' })
const timeCall = encodeFunctionData({ abi: clockAbi, functionName: 'getCurrentBlockTimestamp' })
const stateCalls = {
  v2: encodeFunctionData({ abi: poolAbi, functionName: 'getReserves' }),
  v3: encodeFunctionData({ abi: poolAbi, functionName: 'slot0' }),
}

const ethCall = (to: Hex, data: Hex): UpstreamCall => ({
  method: 'eth_call',
  params: `[{"to":"${to}","data":"${data}"},"latest"]`,
})
