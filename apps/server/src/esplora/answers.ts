import * as z from 'zod'

/** A transaction with its inputs' previous outputs. */
export type EsploraTransaction = z.infer<typeof transaction>
export type EsploraOutput = z.infer<typeof output>

/** The maximum supply of bitcoins, in satoshis. */
const maxSupply = 21e14

const satoshis = z.int().min(0).max(maxSupply)
const count = z.int().min(0)
const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/)
const height = z.int().min(0).max(1e9)

/** A block's or a transaction's id. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/)

// The total flow through an address may exceed the supply, because the same coins can pass
// repeatedly.
const flow = z.object({
  funded_txo_count: count,
  funded_txo_sum: count,
  spent_txo_count: count,
  spent_txo_sum: count,
  tx_count: count,
})
export const addressStats = z
  .object({ address: z.string(), chain_stats: flow, mempool_stats: flow })
  .refine(({ chain_stats: chain, mempool_stats: mempool }) => {
    const confirmed = chain.funded_txo_sum - chain.spent_txo_sum
    const all = confirmed + mempool.funded_txo_sum - mempool.spent_txo_sum
    return [confirmed, all].every((amount) => amount >= 0 && amount <= maxSupply)
  })

export const status = z.union([
  z.object({
    confirmed: z.literal(true),
    block_height: height,
    block_hash: hash,
    block_time: z.int().min(0).max(8e12),
  }),
  z.object({ confirmed: z.literal(false) }),
])

const coin = z.object({
  txid: hash,
  vout: z.int().min(0).max(0xffff_ffff),
  value: satoshis,
  status,
})
/** No output twice. */
export const coins = z
  .array(coin)
  .refine((list) => new Set(list.map(({ txid, vout }) => `${txid}:${vout}`)).size === list.length)

const output = z.object({
  scriptpubkey: hex,
  scriptpubkey_address: z.string().max(120).optional(),
  value: satoshis,
})
const input = z.object({
  txid: hash,
  vout: z.int().min(0).max(0xffff_ffff),
  prevout: output.nullable(),
  is_coinbase: z.boolean(),
})

/** Its inputs pay its outputs and its fee. */
export const transaction = z
  .object({
    txid: hash,
    vin: z.array(input).min(1),
    vout: z.array(output).min(1),
    fee: satoshis,
    status,
  })
  .refine(({ vin, vout, fee }) => {
    if (vin.some((one) => one.is_coinbase)) return vin.length === 1
    const total = (values: readonly (EsploraOutput | null)[]) =>
      values.reduce((sum, one) => sum + (one?.value ?? Number.NaN), 0)
    return total(vin.map(({ prevout }) => prevout)) === total(vout) + fee
  })

const maxListed = 1_000

/** No transaction twice, and none that neither pays nor spends from `script`. */
export const transactionsOf = (script: string) =>
  z
    .array(transaction)
    .max(maxListed)
    .refine((list) => new Set(list.map(({ txid }) => txid)).size === list.length)
    .refine((list) => list.every((one) => involves(one, script)))

const involves = ({ vin, vout }: EsploraTransaction, script: string): boolean =>
  [...vout, ...vin.map(({ prevout }) => prevout)].some((one) => one?.scriptpubkey === script)

/** Satoshis per virtual byte by the number of blocks to wait. */
export const feeEstimates = z.record(z.string().regex(/^\d{1,5}$/), z.number().min(0).max(1e6))
