import type { ChainId } from '@latchkey/wire'
import { decodeEventLog, toEventSelector } from 'viem/utils'
import * as z from 'zod'
import type { Hex } from '../evm/hex.ts'
import { hexQuantity } from '../evm/schemas.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import { swapAbi, syncAbi } from './abi.ts'
import type { Pool } from './findPools.ts'
import { type Ratio, ratioV3 } from './poolState.ts'

type Chain = { readonly upstreams: Upstreams; readonly chainId: ChainId }

/** The newest block: its number, and its time in milliseconds. */
export type NewestBlock = { readonly number: bigint; readonly minedAtMs: number }

const header = z.object({ number: hexQuantity, timestamp: hexQuantity })
const log = z.object({
  address: z.string(),
  blockNumber: hexQuantity,
  data: z.templateLiteral(['0x', z.string().regex(/[0-9a-f]*/i)]),
  topics: z.array(z.templateLiteral(['0x', z.string().regex(/[0-9a-f]{64}/i)])),
})
const logs = z.array(log)

/** The newest block. Throws RPC_UNAVAILABLE. */
export async function readNewestBlock({ upstreams, chainId }: Chain): Promise<NewestBlock> {
  const params = '["latest",false]'
  const answer = await upstreams.read(chainId, [{ method: 'eth_getBlockByNumber', params }])
  const block = header.safeParse('replies' in answer ? answer.replies[0]?.result : undefined).data
  if (block === undefined) throw rpcUnavailable(chainId)
  return { number: block.number, minedAtMs: Number(block.timestamp) * 1000 }
}

/** The reader looks back at pools with trades in at most this many blocks. */
const lookBackBlocks = 25n
/** How many blocks a price must have lasted. */
const settledAfterBlocks = 3n
const poolsPerCall = 100

type RatioQuery = {
  readonly pools: readonly Pool[]
  readonly newest: NewestBlock
  readonly readAt: bigint | undefined
}

/**
 * The price of each pool before the newest three blocks, from the pool's own logs. `still`: no
 * trade since then. A ratio: there was a trade, and the logs of the last 25 blocks show the price
 * before it. Undefined if they do not, or if the node with the logs is behind the node with the
 * pools' states, because the logs of the latest trades may be missing.
 */
export async function readRecentPoolPrices(
  chain: Chain,
  { pools, newest, readAt = newest.number }: RatioQuery,
): Promise<Map<Hex, Ratio | 'still' | undefined>> {
  const parts = Array.from({ length: Math.ceil(pools.length / poolsPerCall) }, (_, index) =>
    pools.slice(index * poolsPerCall, (index + 1) * poolsPerCall),
  )
  const found = await Promise.all(
    parts.map((part) => readPart(chain, { pools: part, newest, readAt })),
  )
  return new Map(found.flat())
}

const topics = [
  toEventSelector('Sync(uint112,uint112)'),
  toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
]

async function readPart(
  { upstreams, chainId }: Chain,
  { pools, newest, readAt = newest.number }: RatioQuery,
): Promise<[Hex, Ratio | 'still' | undefined][]> {
  const from = newest.number > lookBackBlocks ? newest.number - lookBackBlocks : 0n
  // To `latest`, not to `newest`: the state was read after the header.
  const filter = {
    address: pools.map(({ address }) => address),
    topics: [topics],
    fromBlock: `0x${from.toString(16)}`,
    toBlock: 'latest',
  }
  const params = JSON.stringify([filter])
  const answer = await upstreams.read(chainId, [
    { method: 'eth_getLogs', params },
    { method: 'eth_blockNumber', params: '[]' },
  ])
  const [reply, height] = ('replies' in answer ? answer.replies : []).map(({ result }) => result)
  const parsed = logs.safeParse(reply)
  const known = hexQuantity.safeParse(height).data
  if (!parsed.success || known === undefined || known < readAt)
    return pools.map(({ address }) => [address, undefined])
  const settled = newest.number - settledAfterBlocks
  return pools.map((pool) => {
    const own = parsed.data.filter(({ address }) => address.toLowerCase() === pool.address)
    if (own.every(({ blockNumber }) => blockNumber <= settled)) return [pool.address, 'still']
    const before = own.findLast(({ blockNumber }) => blockNumber <= settled)
    return [pool.address, before && parseRatio(pool, before)]
  })
}

function parseRatio({ kind }: Pool, { data, topics }: z.infer<typeof log>): Ratio | undefined {
  const [first, ...rest] = topics
  if (first === undefined) return undefined
  try {
    if (kind === 'uniswap-v3') {
      const { args } = decodeEventLog({ abi: swapAbi, data, topics: [first, ...rest] })
      return ratioV3(args[4])
    }
    const { args } = decodeEventLog({ abi: syncAbi, data, topics: [first, ...rest] })
    const [denominator, numerator] = args
    return denominator === 0n ? undefined : { numerator, denominator }
  } catch {
    return undefined
  }
}
