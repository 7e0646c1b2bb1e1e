import { type Block, makeGenesis } from './block.ts'
import { type Outpoint, type Output, type Transaction, toHex } from './transaction.ts'

/** A transaction that the chain or the mempool has. */
export type Entry = {
  transaction: Transaction
  /** The transaction's block; undefined while it is in the mempool. */
  block?: Block
  /** The outputs it spends, in the order of its inputs; none for a coinbase. */
  spent: readonly Output[]
  /** In satoshis. */
  fee: bigint
}

/** A coin that is unspent, both in blocks and in the mempool. */
export type Coin = { outpoint: Outpoint; txid: string; vout: number; output: Output; entry: Entry }

/** Blocks, transactions, coins and their owners, in memory. Does not validate. */
export type Ledger = {
  readonly tip: Block
  getBlock(id: number | string): Block | undefined
  getEntry(txid: string): Entry | undefined
  /** An unspent coin, including coins in the mempool. */
  getCoin(outpoint: Outpoint): Coin | undefined
  /** The transaction that spends an output, if any. */
  getSpender(outpoint: Outpoint): Entry | undefined
  /** The mempool, each transaction after those that it spends. */
  mempool(): readonly Entry[]
  /** The transactions that pay or spend a script, oldest first. */
  getHistory(script: Uint8Array): readonly Entry[]
  /** The unspent coins of a script, oldest first. */
  getCoins(script: Uint8Array): readonly Coin[]
  /** Puts a transaction into the mempool. Its inputs must be unspent coins. */
  add(transaction: Transaction): Entry
  /** Puts the next block on top; its transactions without the coinbase must be in the mempool. */
  connect(block: Block): void
}

/** An empty chain: only the genesis block, whose coin cannot be spent. */
export function createLedger(): Ledger {
  const genesis = makeGenesis()
  const blocks = [genesis]
  const blocksByHash = new Map([[genesis.hash, genesis]])
  const entries = new Map<string, Entry>()
  const waiting = new Set<Entry>()
  const coins = new Map<Outpoint, Coin>()
  const spenders = new Map<Outpoint, Entry>()
  const histories = new Map<string, Set<Entry>>()

  const index = (script: Uint8Array, entry: Entry) => {
    const key = toHex(script)
    const history = histories.get(key) ?? new Set()
    histories.set(key, history.add(entry))
  }
  const insert = (entry: Entry) => {
    const { transaction, spent } = entry
    entries.set(transaction.txid, entry)
    for (const { script } of spent) index(script, entry)
    for (const { outpoint } of entry.spent.length > 0 ? transaction.inputs : []) {
      coins.delete(outpoint)
      spenders.set(outpoint, entry)
    }
    for (const [vout, output] of transaction.outputs.entries()) {
      index(output.script, entry)
      const { txid } = transaction
      const outpoint: Outpoint = `${txid}:${vout}`
      if (!isUnspendable(output)) coins.set(outpoint, { outpoint, txid, vout, output, entry })
    }
    return entry
  }
  const add = (transaction: Transaction) => {
    const spent = transaction.inputs.map(({ outpoint }) => {
      const coin = coins.get(outpoint)
      if (!coin) throw new Error(`There is no unspent output ${outpoint}`)
      return coin.output
    })
    const fee = sum(spent) - sum(transaction.outputs)
    const entry = insert({ transaction, spent, fee })
    waiting.add(entry)
    return entry
  }
  const connect = (block: Block) => {
    blocks.push(block)
    blocksByHash.set(block.hash, block)
    for (const transaction of block.transactions) {
      if (transaction.isCoinbase) insert({ transaction, block, spent: [], fee: 0n })
      const entry = entries.get(transaction.txid)
      if (!entry) throw new Error(`Transaction ${transaction.txid} was not in the mempool`)
      entry.block = block
      waiting.delete(entry)
    }
  }
  for (const transaction of genesis.transactions)
    insert({ transaction, block: genesis, spent: [], fee: 0n })

  const getHistory = (script: Uint8Array) => [...(histories.get(toHex(script)) ?? [])]
  return {
    get tip() {
      return blocks.at(-1) ?? genesis
    },
    getBlock: (id) => (typeof id === 'number' ? blocks[id] : blocksByHash.get(id)),
    getEntry: (txid) => entries.get(txid),
    getCoin: (outpoint) => coins.get(outpoint),
    getSpender: (outpoint) => spenders.get(outpoint),
    mempool: () => [...waiting],
    getHistory,
    getCoins: (script) =>
      getHistory(script).flatMap(({ transaction }) =>
        transaction.outputs.flatMap((output, vout) => {
          const coin = coins.get(`${transaction.txid}:${vout}`)
          return coin && Buffer.compare(output.script, script) === 0 ? [coin] : []
        }),
      ),
    add,
    connect,
  }
}

/** The total value of outputs, in satoshis. */
export const sum = (outputs: readonly Output[]): bigint =>
  outputs.reduce((total, { value }) => total + value, 0n)

// An OP_RETURN.
const isUnspendable = ({ script }: Output) => script[0] === 0x6a
