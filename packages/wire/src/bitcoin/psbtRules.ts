import { type ByteReader, createReader } from './bytes.ts'
import { decodeTransaction, readOutput, readStack } from './transaction.ts'

type Rule = (data: Uint8Array, value: Uint8Array) => boolean

/** The form of each known field, by type. */
export type PsbtRules = Readonly<Record<number, Rule>>

const any = () => true
const never: Rule = () => false
const lengths =
  (...allowed: readonly number[]) =>
  ({ length }: Uint8Array) =>
    allowed.includes(length)
const rule =
  (isData: (data: Uint8Array) => boolean, isValue: (value: Uint8Array) => boolean): Rule =>
  (data, value) =>
    isData(data) && isValue(value)

/** Whether a reader consumes all of the bytes. */
const isWhole = (read: (reader: ByteReader) => unknown) => (bytes: Uint8Array) => {
  try {
    const reader = createReader(bytes)
    read(reader)
    return reader.isAtEnd()
  } catch {
    return false
  }
}

const none = lengths(0)
const isPublicKey = (key: Uint8Array) =>
  key.length === 33 ? key[0] === 2 || key[0] === 3 : key.length === 65 && key[0] === 4
const isPath = ({ length }: Uint8Array) => length >= 4 && length % 4 === 0
const isSchnorr = lengths(64, 65)
const isDer = ({ length }: Uint8Array) => length >= 9 && length <= 73
const isPrevious = (value: Uint8Array) => {
  try {
    decodeTransaction(value)
    return true
  } catch {
    return false
  }
}
/** Leaf hashes, a fingerprint and a path. */
const isTaprootPath = isWhole((reader) => {
  reader.take(32 * reader.size() + 4)
  while (!reader.isAtEnd()) reader.take(4)
})
/** Depth, version and script of each leaf. */
const isTree = isWhole((reader) => {
  do {
    const [depth = 0, version = 0] = reader.take(2)
    if (depth > 128 || version % 2 === 1) throw new TypeError('Not a leaf')
    reader.sized()
  } while (!reader.isAtEnd())
})
const isControlBlock = ({ length }: Uint8Array) =>
  length >= 33 && length <= 33 + 32 * 128 && length % 32 === 1

/** Fields of the whole PSBT, without the fields that only version 2 has. */
export const globalRules: PsbtRules = {
  0: rule(none, any),
  1: rule(lengths(78), isPath),
  2: never,
  3: never,
  4: never,
  5: never,
  6: never,
  251: rule(none, (value) => value.length === 4 && value.every((byte) => byte === 0)),
}

/** Fields of an input. */
export const inputRules: PsbtRules = {
  0: rule(none, isPrevious),
  1: rule(none, isWhole(readOutput)),
  2: rule(isPublicKey, isDer),
  3: rule(none, lengths(4)),
  4: rule(none, any),
  5: rule(none, any),
  6: rule(isPublicKey, isPath),
  7: rule(none, any),
  8: rule(none, isWhole(readStack)),
  10: rule(lengths(20), any),
  11: rule(lengths(32), any),
  12: rule(lengths(20), any),
  13: rule(lengths(32), any),
  14: never,
  15: never,
  16: never,
  17: never,
  18: never,
  19: rule(none, isSchnorr),
  20: rule(lengths(64), isSchnorr),
  21: rule(isControlBlock, ({ length }) => length > 0),
  22: rule(lengths(32), isTaprootPath),
  23: rule(none, lengths(32)),
  24: rule(none, lengths(32)),
}

/** Fields of an output. */
export const outputRules: PsbtRules = {
  0: rule(none, any),
  1: rule(none, any),
  2: rule(isPublicKey, isPath),
  3: never,
  4: never,
  5: rule(none, lengths(32)),
  6: rule(none, isTree),
  7: rule(lengths(32), isTaprootPath),
}
