import { deriveFaucet } from '../accounts.ts'
import { maxBlockWeight, mineBlock } from './block.ts'
import { checkTransaction, getMedianTime } from './checkTransaction.ts'
import { createLedger, type Entry, type Ledger } from './createLedger.ts'
import { parseAddress } from './describeScript.ts'
import { openJournal } from './openJournal.ts'
import { Rejection } from './rejection.ts'
import { parseTransaction, type Transaction, toHex } from './transaction.ts'
import { verifyInputs } from './verifyInputs.ts'

/** A chain with its mempool. Every block pays the faucet. */
export type BitcoinChain = {
  readonly ledger: Ledger
  /**
   * Checks a transaction, its scripts too, and puts it into the mempool. Throws {@link Rejection}.
   */
  submit(bytes: Uint8Array): Promise<Transaction>
  /** The same without running scripts, for what we have signed ourselves. */
  submitOwn(bytes: Uint8Array): Transaction
  /** Mines a block with as much of the mempool as fits. Default of its time: now. */
  mine(atMs?: number): void
}

/**
 * Opens the chain whose journal is at `path`, or creates it. Without a path nothing is stored.
 * Throws if the journal has another version.
 */
export function openChain(path?: string): BitcoinChain {
  const ledger = createLedger()
  const journal = openJournal(path)
  const rewardScript = parseAddress(deriveFaucet().address)
  if (!rewardScript) throw new Error('The faucet has no address')

  const connect = (time: number, entries: readonly Entry[]) => {
    const { height, hash } = ledger.tip
    const fees = entries.reduce((total, { fee }) => total + fee, 0n)
    const transactions = entries.map(({ transaction }) => transaction)
    const reward = subsidySats + fees
    const block = {
      height: height + 1,
      previousHash: hash,
      time,
      reward,
      rewardScript,
      transactions,
    }
    ledger.connect(mineBlock(block))
  }
  for (const record of journal.records) {
    if ('transaction' in record) {
      ledger.add(parseTransaction(Buffer.from(record.transaction, 'hex')))
      continue
    }
    const { time, txids, hash } = record.block
    connect(
      time,
      txids.flatMap((txid) => ledger.getEntry(txid) ?? []),
    )
    if (ledger.tip.hash !== hash)
      throw new Error(
        `The Bitcoin chain in ${path} was made by another version of Latchkey. Start clean with: npm start -- --fresh`,
      )
  }

  const submitOwn = (bytes: Uint8Array) => {
    const transaction = parse(bytes)
    checkTransaction(ledger, transaction)
    journal.append({ transaction: toHex(bytes) })
    ledger.add(transaction)
    return transaction
  }
  // One after the other, in the order of arrival.
  let last: Promise<unknown> = Promise.resolve()
  const accept = async (bytes: Uint8Array) => {
    const transaction = parse(bytes)
    checkTransaction(ledger, transaction)
    const spent = transaction.inputs.flatMap(
      ({ outpoint }) => ledger.getCoin(outpoint)?.output ?? [],
    )
    await verifyInputs(transaction, spent)
    // The faucet may have paid meanwhile.
    return submitOwn(bytes)
  }
  return {
    ledger,
    submit(bytes) {
      const accepted = last.then(() => accept(bytes))
      last = accepted.catch(() => {})
      return accepted
    },
    submitOwn,
    mine(atMs = Date.now()) {
      const time = Math.max(Math.floor(atMs / 1000), getMedianTime(ledger) + 1)
      const entries = selectEntries(ledger.mempool())
      connect(time, entries)
      const txids = entries.map(({ transaction }) => transaction.txid)
      journal.append({ block: { hash: ledger.tip.hash, time, txids } })
    },
  }
}

// Regtest halves every 150 blocks; a chain that many tests use would soon pay nothing, so this one
// never does.
const subsidySats = 50n * 100_000_000n

function parse(bytes: Uint8Array) {
  try {
    return parseTransaction(bytes)
  } catch {
    throw new Rejection('TX decode failed. Make sure the tx has at least one input.', -22)
  }
}

// The oldest first, so that nothing comes before what it spends.
function selectEntries(waiting: readonly Entry[]) {
  let weight = 0
  const selected: Entry[] = []
  for (const entry of waiting) {
    weight += entry.transaction.weight
    if (weight > maxBlockWeight) break
    selected.push(entry)
  }
  return selected
}
