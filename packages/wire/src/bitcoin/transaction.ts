import { concatBytes } from '@noble/hashes/utils.js'
import { bytesToHex } from '../encoding/bytesToHex.ts'
import {
  type ByteReader,
  createReader,
  encodeList,
  hash256,
  uint32,
  uint64,
  withSize,
} from './bytes.ts'

/**
 * An input of a transaction. `txid` has the byte order of the transaction, the reverse of the
 * displayed id.
 */
export type TransactionInput = {
  txid: Uint8Array
  index: number
  script: Uint8Array
  sequence: number
  witness: readonly Uint8Array[]
}

/** An output of a transaction. `value` is in satoshis. */
export type TransactionOutput = { value: bigint; script: Uint8Array }

/** A transaction in its network form. */
export type BitcoinTransaction = {
  version: number
  inputs: readonly TransactionInput[]
  outputs: readonly TransactionOutput[]
  lockTime: number
}

/**
 * Reads a transaction. `unsigned` is the form of a PSBT, which has no witnesses and may have no
 * inputs. Throws a TypeError if the bytes are not exactly one transaction.
 */
export function decodeTransaction(bytes: Uint8Array, form?: 'unsigned'): BitcoinTransaction {
  const reader = createReader(bytes)
  const version = reader.uint32()
  // An empty list of inputs and a 1: witnesses follow (BIP-144).
  const hasWitness = form !== 'unsigned' && bytes[4] === 0 && bytes[5] === 1
  if (hasWitness) reader.take(2)
  const bare = readList(reader, readInput)
  const outputs = readList(reader, readOutput)
  const inputs = hasWitness ? bare.map((one) => ({ ...one, witness: readStack(reader) })) : bare
  const lockTime = reader.uint32()
  if (!reader.isAtEnd()) throw new TypeError('Bytes after the end of the transaction')
  return { version, inputs, outputs, lockTime }
}

/** The items of a witness. */
export const readStack = (reader: ByteReader): readonly Uint8Array[] =>
  readList(reader, ({ sized }) => sized())

const readInput = (reader: ByteReader): TransactionInput => ({
  txid: reader.take(32),
  index: reader.uint32(),
  script: reader.sized(),
  sequence: reader.uint32(),
  witness: [],
})

/** Reads one output. */
export const readOutput = (reader: ByteReader): TransactionOutput => ({
  value: reader.uint64(),
  script: reader.sized(),
})

function readList<Item>(reader: ByteReader, read: (reader: ByteReader) => Item): readonly Item[] {
  const items: Item[] = []
  // Each item takes at least one byte, so a huge count ends with the bytes.
  for (let left = reader.size(); left > 0; left--) items.push(read(reader))
  return items
}

/** The output that an input spends: id and index. */
export const encodeOutpoint = ({ txid, index }: TransactionInput): Uint8Array =>
  concatBytes(txid, uint32(index))

/** An output in its transaction encoding. */
export const encodeOutput = ({ value, script }: TransactionOutput): Uint8Array =>
  concatBytes(uint64(value), withSize(script))

/**
 * A transaction in its network form; without witnesses, the bytes whose hash is the transaction's
 * id.
 */
export function encodeBitcoinTransaction(
  { version, inputs, outputs, lockTime }: BitcoinTransaction,
  form?: 'withoutWitness',
): Uint8Array {
  const hasWitness = form === undefined && inputs.some(({ witness }) => witness.length > 0)
  const encodeInput = (input: TransactionInput) =>
    concatBytes(encodeOutpoint(input), withSize(input.script), uint32(input.sequence))
  return concatBytes(
    uint32(version),
    hasWitness ? Uint8Array.of(0, 1) : new Uint8Array(),
    encodeList(inputs.map(encodeInput)),
    encodeList(outputs.map(encodeOutput)),
    ...(hasWitness ? inputs.map(({ witness }) => encodeList(witness.map(withSize))) : []),
    uint32(lockTime),
  )
}

/** The hash of a transaction in the byte order that other transactions' inputs contain. */
export const hashTransaction = (transaction: BitcoinTransaction): Uint8Array =>
  hash256(encodeBitcoinTransaction(transaction, 'withoutWitness'))

/**
 * The id of a transaction in its network form, in the byte order of explorers. Undefined for other
 * bytes.
 */
export function getTransactionId(bytes: Uint8Array): string | undefined {
  try {
    const transaction = decodeTransaction(bytes)
    if (transaction.inputs.length === 0) return undefined
    return bytesToHex(hashTransaction(transaction).reverse())
  } catch {
    return undefined
  }
}
