import type { ChainId } from '@latchkey/wire'
import { concat, decodeFunctionResult, encodeFunctionData, numberToHex } from 'viem/utils'
import { decodeAggregate, encodeAggregate } from '../../evm/aggregate.ts'
import { decodeUint } from '../../evm/decodeResult.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ParsedReply } from '../../nodes/readReplies.ts'
import type { UpstreamCall } from '../../nodes/rpcRequest.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import { poolAbi } from '../../prices/abi.ts'
import { clockAbi, quoterAbi } from './abi.ts'
import type { Path } from './findPaths.ts'
import { getMidOutput, quotePairs, readHops } from './hops.ts'
import { type Probe, parseProbe, toProbeCall } from './probeTransfer.ts'

/** The number of equal parts into which an amount is divided. */
export const parts = 10

/** What a path would give for 1 … {@link parts} parts of the amount, undefined where it cannot; `mid`: what its middle price says for the whole. */
export type PathQuote = {
  readonly path: Path
  readonly outputs: readonly (bigint | undefined)[]
  readonly gas: readonly bigint[]
  /** Without what the pools keep. */
  readonly midOutput: bigint
}

/** All that was read, in one block. */
export type Market = {
  readonly block: bigint
  readonly timestampSeconds: bigint
  readonly quotes: readonly PathQuote[]
  /** Whether each probed token arrives whole. */
  readonly areWhole: readonly boolean[]
}

type Chain = {
  readonly upstreams: Upstreams
  readonly chainId: ChainId
  readonly multicall3: Hex
  readonly quoter: Hex | undefined
}
type Question = {
  readonly paths: readonly Path[]
  readonly amount: bigint
  readonly probes: readonly Probe[]
}

/** Part `index` + 1 of {@link parts} of an amount, rounded down; the last is the whole. */
export const getShare = (amount: bigint, index: number): bigint =>
  (amount * BigInt(index + 1)) / BigInt(parts)

/**
 * Reads, in one request and one block, what each path gives for each part of the amount, the middle prices, and whether the
 * probed tokens arrive whole. Throws RPC_UNAVAILABLE.
 */
export async function readMarket(chain: Chain, question: Question): Promise<Market> {
  const { paths, amount, probes } = question
  const calls: { target: Hex; callData: Hex }[] = []
  const read = (target: Hex, callData: Hex) => calls.push({ target, callData }) - 1
  const { multicall3 } = chain
  const atBlock = read(multicall3, clockCall('getBlockNumber'))
  const atTime = read(multicall3, clockCall('getCurrentBlockTimestamp'))
  const states = new Map<Hex, number>()
  for (const { version, pools } of paths)
    for (const { address } of pools)
      if (!states.has(address)) states.set(address, read(address, stateCall(version)))
  const shares = Array.from({ length: parts }, (_, index) => getShare(amount, index))
  const quoterReads = paths.map((path) => {
    const { quoter } = chain
    if (path.version === 'v2' || quoter === undefined) return []
    return shares.map((share) => read(quoter, quoteCall(path, share)))
  })
  const replies = await request(chain, [
    ethCall(multicall3, encodeAggregate(calls)),
    ...probes.map(toProbeCall),
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
        : (quoterReads[index] ?? []).map((at) => parseQuote(results[at]))
    return [
      {
        path,
        outputs: quoted.map((one) => one?.output),
        gas: quoted.map((one) => one?.gas ?? 0n),
        midOutput: getMidOutput(hops, amount),
      },
    ]
  })
  const areWhole = probes.map((probe, index) => parseProbe(probe, replies[index + 1]))
  return { block, timestampSeconds, quotes, areWhole }
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

const clockCall = (functionName: 'getBlockNumber' | 'getCurrentBlockTimestamp') =>
  encodeFunctionData({ abi: clockAbi, functionName })

const stateCall = (version: Path['version']) =>
  encodeFunctionData({ abi: poolAbi, functionName: version === 'v2' ? 'getReserves' : 'slot0' })

const quoteCall = (path: Path, amountIn: bigint) =>
  encodeFunctionData({
    abi: quoterAbi,
    functionName: 'quoteExactInput',
    args: [encodePath(path), amountIn],
  })

/** As Uniswap V3 writes a path: token, fee, token, fee, token. */
export const encodePath = ({ tokens, pools }: Path): Hex =>
  concat(
    tokens.flatMap((token, index) => {
      const pool = pools[index]
      return pool ? [token, numberToHex(pool.fee, { size: 3 })] : [token]
    }),
  )

const ethCall = (to: Hex, data: Hex): UpstreamCall => ({
  method: 'eth_call',
  params: `[{"to":"${to}","data":"${data}"},"latest"]`,
})

function parseQuote(data: Hex | undefined) {
  if (data === undefined) return undefined
  try {
    const [output, , , gas] = decodeFunctionResult({
      abi: quoterAbi,
      functionName: 'quoteExactInput',
      data,
    })
    return output > 0n ? { output, gas } : undefined
  } catch {
    return undefined
  }
}
