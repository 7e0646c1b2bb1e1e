import { OP, RawTx, Script } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { sha256x2 } from '@scure/btc-signer/utils.js'
import { parseTransaction, type Transaction, toId } from './transaction.ts'

/** A block with its header's fields and its transactions, the coinbase first. */
export type Block = {
  hash: string
  height: number
  version: number
  previousHash: string
  merkleRoot: string
  /** Seconds since 1970. */
  time: number
  nonce: number
  transactions: readonly Transaction[]
  size: number
  weight: number
}

/** The difficulty of every block, like in regtest: every second hash is valid. */
export const bits = 0x207f_ffff
/** Maximum weight of a block's transactions, which leaves room for the header and the coinbase. */
export const maxBlockWeight = 3_990_000

const headerSize = 80
const blockVersion = 0x2000_0000
const zeros = new Uint8Array(32)

/** The first block, the same in every start. Its coinbase has a message and cannot be spent. */
export function makeGenesis(): Block {
  const message = Buffer.from('Latchkey regtest: every key of this chain is public')
  const coinbase = RawOldTx.encode({
    version: 1,
    inputs: [coinbaseInput(Script.encode([new Uint8Array([1, 0]), message]))],
    outputs: [{ amount: 50n * 100_000_000n, script: Script.encode(['RETURN', message]) }],
    lockTime: 0,
  })
  return assemble({
    height: 0,
    previousHash: '00'.repeat(32),
    time: 1_767_225_600,
    transactions: [parseTransaction(coinbase)],
  })
}

/** Mines the next block: a coinbase that takes subsidy and fees, then `transactions`. */
export function mineBlock(parameters: {
  height: number
  previousHash: string
  time: number
  /** Subsidy and fees, in satoshis. */
  reward: bigint
  rewardScript: Uint8Array
  transactions: readonly Transaction[]
}): Block {
  const { reward, rewardScript, transactions, ...header } = parameters
  const { height } = header
  const wtxids = [zeros, ...transactions.map(({ wtxid }) => fromId(wtxid))]
  const commitment = sha256x2(Buffer.concat([getMerkleRoot(wtxids), zeros]))
  const coinbase = RawTx.encode({
    version: 2,
    segwitFlag: true,
    inputs: [coinbaseInput(encodeHeight(height))],
    outputs: [
      { amount: reward, script: rewardScript },
      // BIP-141: the hash of the witnesses.
      {
        amount: 0n,
        script: Script.encode(['RETURN', Buffer.concat([commitmentStart, commitment])]),
      },
    ],
    witnesses: [[zeros]],
    lockTime: 0,
  })
  return assemble({ ...header, transactions: [parseTransaction(coinbase), ...transactions] })
}

const commitmentStart = Buffer.from('aa21a9ed', 'hex')

const coinbaseInput = (finalScriptSig: Uint8Array) => ({
  txid: zeros,
  index: 0xffff_ffff,
  finalScriptSig,
  sequence: 0xffff_ffff,
})

// BIP-34: the script begins with the height. It must have two bytes at least.
function encodeHeight(height: number) {
  if (height <= 16) return new Uint8Array([OP.OP_1 + height - 1, OP.OP_0])
  const bytes: number[] = []
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  if ((bytes.at(-1) ?? 0) > 127) bytes.push(0)
  return Script.encode([Uint8Array.from(bytes)])
}

function assemble(parts: Pick<Block, 'height' | 'previousHash' | 'time' | 'transactions'>): Block {
  const merkleRoot = toId(getMerkleRoot(parts.transactions.map(({ txid }) => fromId(txid))))
  const header = { ...parts, version: blockVersion, merkleRoot }
  for (let nonce = 0; ; nonce++) {
    const hash = sha256x2(encodeHeader({ ...header, nonce }))
    // Below the target is every hash whose highest bit is 0.
    if ((hash[31] ?? 255) < 128) return finish({ ...header, nonce, hash: toId(hash) })
  }
}

// The 80 bytes whose hash names the block.
function encodeHeader(
  block: Pick<Block, 'version' | 'previousHash' | 'merkleRoot' | 'time' | 'nonce'>,
): Buffer {
  const header = Buffer.alloc(headerSize)
  header.writeInt32LE(block.version, 0)
  header.set(fromId(block.previousHash), 4)
  header.set(fromId(block.merkleRoot), 36)
  header.writeUInt32LE(block.time, 68)
  header.writeUInt32LE(bits, 72)
  header.writeUInt32LE(block.nonce, 76)
  return header
}

function finish(block: Omit<Block, 'size' | 'weight'>): Block {
  const { transactions } = block
  const start = headerSize + encodeCount(transactions.length).length
  const sum = (size: (transaction: Transaction) => number) =>
    transactions.reduce((total, transaction) => total + size(transaction), 0)
  return {
    ...block,
    size: start + sum(({ bytes }) => bytes.length),
    weight: start * 4 + sum(({ weight }) => weight),
  }
}

function getMerkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes
  while (row.length > 1) {
    const above: Uint8Array[] = []
    for (let at = 0; at < row.length; at += 2) {
      const left = row[at] ?? zeros
      above.push(sha256x2(Buffer.concat([left, row[at + 1] ?? left])))
    }
    row = above
  }
  return row[0] ?? zeros
}

const fromId = (id: string) => Buffer.from(id, 'hex').reverse()

function encodeCount(count: number) {
  if (count < 0xfd) return Buffer.from([count])
  const bytes = Buffer.alloc(3)
  bytes[0] = 0xfd
  bytes.writeUInt16LE(count, 1)
  return bytes
}
