import { type ChainId, nativeAsset } from '@latchkey/wire'
import * as z from 'zod'
import { isEvmChain } from '../evm/chain.ts'
import { toQuantity } from '../evm/hex.ts'
import { hexAddress, hexQuantity } from '../evm/schemas.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { StoredOrder } from './orderStore.ts'

/**
 * A transaction may be slightly older than its order, because two clocks differ; older transactions
 * belong to other purchases.
 */
const toleranceMs = 10 * 60_000

/**
 * How much of an order's asset its transaction has sent to its account, in base units, read from
 * the network's nodes. Undefined while that is unknown: the transaction is not on the chain,
 * failed, paid another account, or is older than the order.
 */
export async function readArrival(
  upstreams: Upstreams,
  order: StoredOrder,
): Promise<bigint | undefined> {
  const { transactionHash } = order
  if (transactionHash === undefined) return undefined
  const read = isEvmChain(order.asset.chainId) ? readEvmArrival : readSolanaArrival
  const arrival = await read(upstreams, { order, transactionHash })
  if (arrival === undefined || arrival.amount <= 0n) return undefined
  return arrival.atMs < order.createdAt.getTime() - toleranceMs ? undefined : arrival.amount
}

type ArrivalParameters = { readonly order: StoredOrder; readonly transactionHash: string }
type Arrival = { readonly amount: bigint; readonly atMs: number }
type Call = readonly [method: string, ...params: unknown[]]

/** Undefined if no node answers. */
async function ask(upstreams: Upstreams, chainId: ChainId, calls: readonly Call[]) {
  const raw = calls.map(([method, ...params]) => ({ method, params: JSON.stringify(params) }))
  const answer = await upstreams.read(chainId, raw)
  if ('fault' in answer) return undefined
  return answer.replies.map(({ error, result }) => (error === undefined ? result : undefined))
}

const evmReceipt = z.object({
  status: z.literal('0x1'),
  blockNumber: hexQuantity,
  logs: z
    .array(
      z.object({
        address: hexAddress,
        topics: z.array(z.string().max(66)),
        data: z.string().max(1_000_000),
      }),
    )
    .max(10_000),
})
const evmTransaction = z.object({ to: hexAddress.nullable(), value: hexQuantity })
const evmBlock = z.object({ timestamp: hexQuantity })

/** `Transfer(address,address,uint256)` */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

async function readEvmArrival(
  upstreams: Upstreams,
  { order, transactionHash }: ArrivalParameters,
): Promise<Arrival | undefined> {
  const { chainId, asset } = order.asset
  if (!/^0x[0-9a-fA-F]{64}$/.test(transactionHash)) return undefined
  const [first, second] =
    (await ask(upstreams, chainId, [
      ['eth_getTransactionReceipt', transactionHash],
      ['eth_getTransactionByHash', transactionHash],
    ])) ?? []
  const receipt = evmReceipt.safeParse(first)
  const transaction = evmTransaction.safeParse(second)
  if (!receipt.success || !transaction.success) return undefined
  const { blockNumber, logs } = receipt.data
  const [block, after, before] =
    (await ask(upstreams, chainId, [
      ['eth_getBlockByNumber', toQuantity(blockNumber), false],
      ['eth_getBalance', order.account, toQuantity(blockNumber)],
      ['eth_getBalance', order.account, toQuantity(blockNumber - 1n)],
    ])) ?? []
  const { success, data } = evmBlock.safeParse(block)
  if (!success) return undefined
  const atMs = Number(data.timestamp) * 1000
  if (asset !== nativeAsset) return { amount: sumTransfers(logs, order), atMs }
  const { to, value } = transaction.data
  if (to === order.account) return { amount: value, atMs }
  // A contract that pays many accounts leaves no trace but the balances.
  const [high, low] = [hexQuantity.safeParse(after), hexQuantity.safeParse(before)]
  return high.success && low.success ? { amount: high.data - low.data, atMs } : undefined
}

function sumTransfers(
  logs: z.output<typeof evmReceipt>['logs'],
  { account, asset: { asset } }: StoredOrder,
): bigint {
  const word = `0x${account.slice(2).padStart(64, '0')}`
  let sum = 0n
  for (const { address: token, topics, data } of logs) {
    const [topic, from, to] = topics.map((one) => one.toLowerCase())
    if (token !== asset || topic !== transferTopic || topics.length !== 3) continue
    if (!/^0x[0-9a-fA-F]{64}$/.test(data)) continue
    if (to === word) sum += BigInt(data)
    if (from === word) sum -= BigInt(data)
  }
  return sum
}

const lamports = z.number().int().min(0).transform(BigInt)
const tokenBalances = z
  .array(
    z.object({
      mint: z.string(),
      owner: z.string().optional(),
      uiTokenAmount: z.object({
        amount: z
          .string()
          .regex(/^\d{1,20}$/)
          .transform(BigInt),
      }),
    }),
  )
  .nullish()
const solanaTransaction = z.object({
  blockTime: z.number(),
  meta: z.object({
    err: z.null(),
    preBalances: z.array(lamports),
    postBalances: z.array(lamports),
    preTokenBalances: tokenBalances,
    postTokenBalances: tokenBalances,
  }),
  transaction: z.object({
    message: z.object({ accountKeys: z.array(z.object({ pubkey: z.string() })) }),
  }),
})

async function readSolanaArrival(
  upstreams: Upstreams,
  { order, transactionHash }: ArrivalParameters,
): Promise<Arrival | undefined> {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,90}$/.test(transactionHash)) return undefined
  const options = {
    encoding: 'jsonParsed',
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  }
  const [answer] =
    (await ask(upstreams, order.asset.chainId, [['getTransaction', transactionHash, options]])) ??
    []
  const parsed = solanaTransaction.safeParse(answer)
  if (!parsed.success) return undefined
  const { blockTime, meta, transaction } = parsed.data
  const sum = (balances: z.output<typeof tokenBalances>) =>
    (balances ?? [])
      .filter(({ mint, owner }) => mint === order.asset.asset && owner === order.account)
      .reduce((total, { uiTokenAmount }) => total + uiTokenAmount.amount, 0n)
  const index = transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey === order.account)
  const amount =
    order.asset.asset === nativeAsset
      ? (meta.postBalances[index] ?? 0n) - (meta.preBalances[index] ?? 0n)
      : sum(meta.postTokenBalances) - sum(meta.preTokenBalances)
  return { amount, atMs: blockTime * 1000 }
}
