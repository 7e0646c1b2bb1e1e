import { type ChainId, getLeastTip, parseChainId } from '@latchkey/wire'
import * as z from 'zod'
import { hexQuantity } from '../evm/schemas.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

/**
 * Wei for a unit of gas, by how soon a transaction should be mined; each is at least as high as the
 * previous.
 */
export type GasPrice = {
  readonly standard: bigint
  readonly fast: bigint
  readonly instant: bigint
}

const feeHistory = z.object({
  baseFeePerGas: z.array(hexQuantity).min(1),
  reward: z.array(z.tuple([hexQuantity, hexQuantity, hexQuantity])).min(1),
})

const blocks = '0xa'
/** The base fee may rise by an eighth with each block: margins for one block, two and four. */
const speeds = [
  { name: 'standard', percentile: 40, basePercent: 113n, legacyPercent: 100n },
  { name: 'fast', percentile: 60, basePercent: 127n, legacyPercent: 115n },
  { name: 'instant', percentile: 85, basePercent: 161n, legacyPercent: 130n },
] as const

/**
 * The gas price from the network's nodes: the next base fee with a margin and the tips that others
 * paid, never less than `eth_gasPrice`. If blocks have no base fee, only `eth_gasPrice` counts.
 * Throws RPC_UNAVAILABLE.
 */
export async function readGasPrice(upstreams: Upstreams, chainId: ChainId): Promise<GasPrice> {
  const percentiles = speeds.map(({ percentile }) => percentile)
  const answer = await upstreams.read(chainId, [
    { method: 'eth_gasPrice', params: '[]' },
    { method: 'eth_feeHistory', params: JSON.stringify([blocks, 'latest', percentiles]) },
  ])
  const [priceReply, history] = 'replies' in answer ? answer.replies : []
  const plain = hexQuantity.safeParse(priceReply?.result).data
  const fees = feeHistory.safeParse(history?.result).data
  if (plain === undefined && fees === undefined) throw rpcUnavailable(chainId)
  const prices = speeds.map(({ basePercent, legacyPercent }, index) => {
    const legacy = takePercent(plain ?? 0n, legacyPercent)
    if (fees === undefined) return legacy
    const base = fees.baseFeePerGas.at(-1) ?? 0n
    const paid = median(fees.reward.map((tips) => tips[index] ?? 0n))
    const tip = max(paid, getLeastTip(parseChainId(chainId).reference))
    return max(takePercent(base, basePercent) + tip, legacy)
  })
  const [standard = 0n, fast = 0n, instant = 0n] = prices
  return { standard, fast: max(fast, standard), instant: max(instant, fast, standard) }
}

/** Rounded up: a transaction with one wei too little does not get mined. */
const takePercent = (amount: bigint, percent: bigint) => (amount * percent + 99n) / 100n

const ascending = (all: readonly bigint[]) => [...all].sort((a, b) => (a < b ? -1 : 1))

const max = (...all: readonly bigint[]) => ascending(all).at(-1) ?? 0n

const median = (all: readonly bigint[]) => ascending(all)[Math.floor(all.length / 2)] ?? 0n
