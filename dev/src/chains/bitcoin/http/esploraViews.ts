import { type Block, bits } from '../chain/block.ts'
import { getMedianTime } from '../chain/checkTransaction.ts'
import { type Entry, type Ledger, sum } from '../chain/createLedger.ts'
import { describeScript, toAsm } from '../chain/describeScript.ts'
import { type Input, type Output, toHex } from '../chain/transaction.ts'

/** A block in Esplora's form. */
export const viewBlock = (ledger: Ledger, block: Block) => ({
  id: block.hash,
  height: block.height,
  version: block.version,
  timestamp: block.time,
  tx_count: block.transactions.length,
  size: block.size,
  weight: block.weight,
  merkle_root: block.merkleRoot,
  ...(block.height > 0 && { previousblockhash: block.previousHash }),
  mediantime: getMedianTime(ledger, block.height),
  nonce: block.nonce,
  bits,
  difficulty: 0,
})

/** Whether a transaction is confirmed, and its block, in Esplora's form. */
export const viewStatus = ({ block }: Entry) =>
  block
    ? {
        confirmed: true,
        block_height: block.height,
        block_hash: block.hash,
        block_time: block.time,
      }
    : { confirmed: false }

/** A transaction with the outputs it spends, in Esplora's form. */
export function viewTransaction(entry: Entry) {
  const { transaction, spent, fee } = entry
  return {
    txid: transaction.txid,
    version: transaction.version,
    locktime: transaction.lockTime,
    vin: transaction.inputs.map((input, at) => viewInput(input, spent[at])),
    vout: transaction.outputs.map(viewOutput),
    size: transaction.bytes.length,
    weight: transaction.weight,
    fee: Number(fee),
    status: viewStatus(entry),
  }
}

const viewInput = (input: Input, spent: Output | undefined) => ({
  txid: input.txid,
  vout: input.vout,
  prevout: spent ? viewOutput(spent) : null,
  scriptsig: toHex(input.scriptSig),
  scriptsig_asm: toAsm(input.scriptSig),
  ...(input.witness.length > 0 && { witness: input.witness.map(toHex) }),
  is_coinbase: !spent,
  sequence: input.sequence,
})

function viewOutput({ script, value }: Output) {
  const { type, address } = describeScript(script)
  return {
    scriptpubkey: toHex(script),
    scriptpubkey_asm: toAsm(script),
    scriptpubkey_type: type,
    ...(address && { scriptpubkey_address: address }),
    value: Number(value),
  }
}

/**
 * The totals that an address received and spent, in blocks and in the mempool, in Esplora's form.
 */
export function viewAddress(ledger: Ledger, address: string, script: Uint8Array) {
  const history = ledger.getHistory(script)
  const view = (entries: readonly Entry[]) => {
    const isOurs = (output: Output) => Buffer.compare(output.script, script) === 0
    const funded = entries.flatMap(({ transaction }) => transaction.outputs.filter(isOurs))
    const spent = entries.flatMap((entry) => entry.spent.filter(isOurs))
    return {
      funded_txo_count: funded.length,
      funded_txo_sum: Number(sum(funded)),
      spent_txo_count: spent.length,
      spent_txo_sum: Number(sum(spent)),
      tx_count: entries.length,
    }
  }
  return {
    address,
    chain_stats: view(history.filter(({ block }) => block)),
    mempool_stats: view(history.filter(({ block }) => !block)),
  }
}

/** The mempool in Esplora's form. */
export function viewMempool(ledger: Ledger) {
  const waiting = ledger.mempool()
  const rates = waiting
    .map(({ fee, transaction: { vsize } }) => [Number(fee) / vsize, vsize] as const)
    .sort(([one], [other]) => other - one)
  return {
    count: waiting.length,
    vsize: rates.reduce((total, [, vsize]) => total + vsize, 0),
    total_fee: waiting.reduce((total, { fee }) => total + Number(fee), 0),
    fee_histogram: rates,
  }
}

const targets = [...Array.from({ length: 25 }, (_, at) => at + 1), 144, 504, 1_008]

/**
 * Satoshis per virtual byte by the number of blocks to wait. Blocks here are never full, so the
 * estimates are made up: 20 for the next block, falling to 1.
 */
export const viewFeeEstimates = () =>
  Object.fromEntries(targets.map((target) => [target, Math.max(1, 20 / target)]))
