import { isError, LatchkeyError } from '@latchkey/wire'
import type { Request } from '../request.ts'
import type { FeeSpeed } from '../transferPlan.ts'

/** An unspent output of an address. */
export type Coin = { txid: string; vout: number; value: bigint; isConfirmed: boolean }

const maxCoins = 10_000
const maxOutputs = 100_000
/** Blocks within which a transaction should be confirmed; 12 blocks take about two hours. */
const feeTargets = { fast: 1, normal: 3, slow: 12 } as const
// Higher estimates of a node are discarded.
const maxRate = 1_000

/**
 * The balance of an address in satoshis, including unconfirmed payments. A node of this namespace
 * takes `GET` with a path and `POST` with a path and a body
 * (https://github.com/Blockstream/esplora/blob/master/API.md).
 */
export async function readCoinBalance({ node, address }: { node: Request; address: string }) {
  const { chain_stats, mempool_stats } = toFields(await get(node, `/address/${address}`))
  const balance = [chain_stats, mempool_stats].map(toFields).reduce<bigint>((total, flow) => {
    return total + toSatoshis(flow.funded_txo_sum) - toSatoshis(flow.spent_txo_sum)
  }, 0n)
  if (balance < 0n) throw invalid()
  return balance
}

/** The id of the first block; the first half of it names the network (CAIP-2). */
export const readGenesis = async (node: Request): Promise<string> =>
  toTxid(await get(node, '/block-height/0'))

/** The unspent outputs of an address. */
export async function readCoins(node: Request, address: string): Promise<Coin[]> {
  const coins = await get(node, `/address/${address}/utxo`)
  return toList(coins, maxCoins).map((coin) => {
    const { txid, vout, value, status } = toFields(coin)
    if (!isCount(vout) || vout > 0xffff_ffff) throw invalid()
    const isConfirmed = toStatus(status).isConfirmed
    return { txid: toTxid(txid), vout, value: toSatoshis(value), isConfirmed }
  })
}

/**
 * The lowest rate that nodes relay, in satoshis per virtual byte; ten times as much before Bitcoin
 * Core 29.1.
 */
const leastRate = 0.1

/**
 * The price of a speed in satoshis per virtual byte, and the blocks within which the node expects a
 * confirmation.
 */
export type FeeRate = { speed: FeeSpeed; rate: number; blocks: number }

/**
 * The rate of each speed, the slowest first: the node's estimate for the longest wait that is not
 * longer, or else for the shortest wait. Without an estimate the rate is 1. It is never below the
 * lowest rate that nodes relay, and a faster speed is never cheaper.
 */
export async function readEsploraFeeRates(node: Request): Promise<readonly FeeRate[]> {
  const estimates = Object.entries(toFields(await get(node, '/fee-estimates')))
    .map(([blocks, rate]) => ({ blocks: Number(blocks), rate }))
    .sort((one, other) => one.blocks - other.blocks)
  let least = leastRate
  return (['slow', 'normal', 'fast'] as const).map((speed) => {
    const blocks = feeTargets[speed]
    const known = estimates.findLast((one) => one.blocks <= blocks) ?? estimates[0]
    const rate = known?.rate ?? 1
    if (typeof rate !== 'number' || !(rate >= 0 && rate <= maxRate)) throw invalid()
    least = Math.max(least, rate)
    return { speed, rate: least, blocks }
  })
}

/** The bytes of a transaction as hex. */
export async function readBitcoinTransaction(node: Request, id: string): Promise<string> {
  const hex = await get(node, `/tx/${id}/hex`)
  if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})+$/.test(hex)) throw invalid()
  return hex
}

/** The outputs of a transaction; undefined if the node does not have the transaction. */
export async function readOutputValues(node: Request, id: string) {
  const answer = await get(node, `/tx/${id}`).catch(ignoreUnknown)
  if (answer === undefined) return undefined
  return toList(toFields(answer).vout, maxOutputs).map((output) => {
    const { scriptpubkey, value } = toFields(output)
    return { scriptpubkey, value: toSatoshis(value) }
  })
}

/**
 * Number of blocks that confirm a transaction, including its own block; 0 if it is pending or
 * unknown.
 */
export async function readConfirmationCount(node: Request, id: string): Promise<number> {
  const answer = await get(node, `/tx/${id}/status`).catch(ignoreUnknown)
  if (answer === undefined) return 0
  const { isConfirmed, height } = toStatus(answer)
  if (!isConfirmed || height === undefined) return 0
  const tip = Number(await get(node, '/blocks/tip/height'))
  if (!isCount(tip)) throw invalid()
  return Math.max(1, tip - height + 1)
}

/** Broadcasts a transaction; resolves to its id. Throws the node's refusal. */
export async function broadcastBitcoin(node: Request, hex: string): Promise<string> {
  return toTxid(await node('POST', ['/tx', hex]))
}

const get = (node: Request, path: string) => node('GET', [path])

// The node's own refusal: it does not have the transaction.
function ignoreUnknown(error: unknown): undefined {
  if (!isError(error, 'RPC_FAILED')) throw error
}

function toFields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid()
  return value as Record<string, unknown>
}

function toList(value: unknown, limit: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > limit) throw invalid()
  return value
}

/** Parses an amount in satoshis. No amount can exceed the total supply of bitcoin. */
function toSatoshis(value: unknown): bigint {
  if (!isCount(value) || value > 21e14) throw invalid()
  return BigInt(value)
}

function toTxid(value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw invalid()
  return value
}

function toStatus(value: unknown): { isConfirmed: boolean; height: number | undefined } {
  const { confirmed, block_height: height } = toFields(value)
  if (typeof confirmed !== 'boolean' || (height !== undefined && !isCount(height))) throw invalid()
  return { isConfirmed: confirmed, height }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

const invalid = () => new LatchkeyError('ANSWER_INVALID')
