import { isError, LatchkeyError } from '@latchkey/wire'
import { z } from 'zod'
import type { Request } from '../actions.ts'

/** An unspent output of an address. */
export type Coin = { txid: string; vout: number; value: bigint; isConfirmed: boolean }

const satoshis = z.number().int().min(0).max(21e14).transform(BigInt)
const txid = z.string().regex(/^[0-9a-f]{64}$/)
const statusSchema = z.object({
  confirmed: z.boolean(),
  block_height: z.number().int().min(0).optional(),
})
const coinSchema = z.object({
  txid,
  vout: z.number().int().min(0).max(0xffff_ffff),
  value: satoshis,
  status: statusSchema,
})
const flowSchema = z.object({ funded_txo_sum: satoshis, spent_txo_sum: satoshis })
const addressSchema = z.object({ chain_stats: flowSchema, mempool_stats: flowSchema })
const outputSchema = z.object({ scriptpubkey: z.string(), value: satoshis })

const maxCoins = 10_000
/** Blocks within which a transaction should be confirmed. */
const feeTarget = 3
// A node that asks for more has no say in what is paid.
const maxRate = 1_000

/**
 * What an Esplora endpoint knows of an address, in satoshis, unconfirmed payments included. A node of this namespace
 * answers `GET` with a path and `POST` with a path and a body (https://github.com/Blockstream/esplora/blob/master/API.md).
 */
export async function readBalance({ node, address }: { node: Request; address: string }) {
  const answer = parse(addressSchema, await get(node, `/address/${address}`))
  const flows = [answer.chain_stats, answer.mempool_stats]
  const balance = flows.reduce(
    (total, { funded_txo_sum, spent_txo_sum }) => total + funded_txo_sum - spent_txo_sum,
    0n,
  )
  if (balance < 0n) throw invalid()
  return balance
}

/** The unspent outputs of an address. */
export async function readCoins(node: Request, address: string): Promise<Coin[]> {
  const coins = await get(node, `/address/${address}/utxo`)
  return parse(z.array(coinSchema).max(maxCoins), coins).map(({ status, ...coin }) => ({
    ...coin,
    isConfirmed: status.confirmed,
  }))
}

/** Satoshis per virtual byte to be confirmed within three blocks; 1 where the node has no estimate. */
export async function readFeeRate(node: Request): Promise<number> {
  const estimates = parse(
    z.record(z.string(), z.number().min(0)),
    await get(node, '/fee-estimates'),
  )
  const rate = Math.max(1, estimates[feeTarget] ?? 1)
  if (rate > maxRate) throw invalid()
  return rate
}

/** The bytes of a transaction as hex. */
export async function readTransaction(node: Request, id: string): Promise<string> {
  return parse(z.string().regex(/^(?:[0-9a-f]{2})+$/), await get(node, `/tx/${id}/hex`))
}

/** The outputs of a transaction; undefined for one that the node does not know. */
export async function readOutputs(node: Request, id: string) {
  const answer = await get(node, `/tx/${id}`).catch(ignoreUnknown)
  if (answer === undefined) return undefined
  return parse(z.object({ vout: z.array(outputSchema) }), answer).vout
}

/** Number of blocks that confirm a transaction, its own among them; 0 while it waits or is not known. */
export async function readConfirmations(node: Request, id: string): Promise<number> {
  const answer = await get(node, `/tx/${id}/status`).catch(ignoreUnknown)
  if (answer === undefined) return 0
  const { confirmed, block_height } = parse(statusSchema, answer)
  if (!confirmed || block_height === undefined) return 0
  const tip = parse(z.coerce.number().int().min(0), await get(node, '/blocks/tip/height'))
  return Math.max(1, tip - block_height + 1)
}

/** Hands a transaction to the network; resolves to its id. Throws the node's refusal. */
export async function broadcast(node: Request, hex: string): Promise<string> {
  return parse(txid, await node('POST', ['/tx', hex]))
}

const get = (node: Request, path: string) => node('GET', [path])

// The node's own refusal: it does not know the transaction.
function ignoreUnknown(error: unknown): undefined {
  if (!isError(error, 'RPC_FAILED')) throw error
}

function parse<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw invalid()
}

const invalid = () => new LatchkeyError('ANSWER_INVALID')
