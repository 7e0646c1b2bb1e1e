import { concatBytes } from '@noble/hashes/utils.js'
import { bytesToHex } from '../encoding/bytesToHex.ts'
import { type ByteReader, createReader, encodeSize, equalBytes, withSize } from './bytes.ts'
import { globalRules, inputRules, outputRules, type PsbtRules } from './psbtRules.ts'
import {
  type BitcoinTransaction,
  decodeTransaction,
  encodeBitcoinTransaction,
} from './transaction.ts'

/** A field of a PSBT: its type, the rest of its key, and its value. */
export type PsbtField = { type: number; data: Uint8Array; value: Uint8Array }

/**
 * A partially signed transaction (BIP-174, version 0). Fields keep their order; unknown fields are
 * kept.
 */
export type Psbt = {
  transaction: BitcoinTransaction
  global: readonly PsbtField[]
  inputs: readonly (readonly PsbtField[])[]
  outputs: readonly (readonly PsbtField[])[]
}

const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff)
const unsignedTransaction = 0x00
const versionField = 0xfb

/**
 * Reads a PSBT of version 0. Each field of BIP-174 and BIP-371 must have its specified form, no key
 * may appear twice, and no bytes may follow. Throws a TypeError.
 */
export function decodePsbt(bytes: Uint8Array): Psbt {
  const reader = createReader(bytes)
  if (!equalBytes(reader.take(magic.length), magic)) throw new TypeError('Not a PSBT')
  const global = readFields(reader, globalRules)
  const unsigned = findField(global, unsignedTransaction)
  if (!unsigned) throw new TypeError('The PSBT has no transaction')
  const transaction = decodeTransaction(unsigned, 'unsigned')
  if (transaction.inputs.some(({ script }) => script.length > 0))
    throw new TypeError('The transaction of a PSBT must be unsigned')
  const inputs = transaction.inputs.map(() => readFields(reader, inputRules))
  const outputs = transaction.outputs.map(() => readFields(reader, outputRules))
  if (!reader.isAtEnd()) throw new TypeError('Bytes after the end of the PSBT')
  return { transaction, global, inputs, outputs }
}

/**
 * Whether bytes begin like a PSBT of version 2 (BIP-370), which {@link decodePsbt} refuses. Never
 * throws.
 */
export function isPsbtVersion2(bytes: Uint8Array): boolean {
  try {
    const reader = createReader(bytes)
    if (!equalBytes(reader.take(magic.length), magic)) return false
    const version = findField(readFields(reader, {}), versionField)
    return version !== undefined && createReader(version).uint32() === 2
  } catch {
    return false
  }
}

function readFields(reader: ByteReader, rules: PsbtRules): readonly PsbtField[] {
  const fields: PsbtField[] = []
  const known = new Set<string>()
  for (;;) {
    const key = reader.sized()
    if (key.length === 0) return fields
    const value = reader.sized()
    const name = bytesToHex(key)
    if (known.has(name)) throw new TypeError('Duplicate key')
    known.add(name)
    const inside = createReader(key)
    const type = inside.size()
    const data = key.subarray(encodeSize(type).length)
    if (rules[type] && !rules[type](data, value)) throw new TypeError('Invalid field')
    fields.push({ type, data, value })
  }
}

/** The value of the first field of a type. */
export const findField = (fields: readonly PsbtField[], type: number): Uint8Array | undefined =>
  fields.find((field) => field.type === type)?.value

/** A PSBT of an unsigned transaction, with fields for its inputs. */
export const createPsbt = (
  transaction: BitcoinTransaction,
  inputs: readonly (readonly PsbtField[])[],
): Psbt => ({
  transaction,
  global: [
    {
      type: unsignedTransaction,
      data: new Uint8Array(),
      value: encodeBitcoinTransaction(transaction, 'withoutWitness'),
    },
  ],
  inputs,
  outputs: transaction.outputs.map(() => []),
})

/** The bytes of a PSBT. */
export const encodePsbt = ({ global, inputs, outputs }: Psbt): Uint8Array =>
  concatBytes(magic, ...[global, ...inputs, ...outputs].map(encodeFields))

const encodeFields = (fields: readonly PsbtField[]) =>
  concatBytes(
    ...fields.flatMap(({ type, data, value }) => [
      withSize(concatBytes(encodeSize(type), data)),
      withSize(value),
    ]),
    Uint8Array.of(0),
  )
