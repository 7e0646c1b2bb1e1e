import { checksumAddress, decodeUtf8 } from '@latchkey/wire'
import type { Hex } from 'viem'
import { fromHex } from '../../../wallet/crypto/bytes.ts'
import { type AbiType, encodeAbi, isDynamic, readList, wordDigits } from './encodeAbi.ts'

/**
 * Decodes bytes to values in the form that {@link encodeAbi} takes, with checksummed addresses.
 * Undefined unless the values encode to exactly these bytes: nothing can hide between or after the
 * values or be used twice, and the work is bounded by the length of the bytes.
 */
export function decodeAbi(types: readonly AbiType[], data: Hex): readonly unknown[] | undefined {
  const digits = data.slice(2).toLowerCase()
  try {
    const values = readAll(types, { digits, at: 0 })
    return encodeAbi(types, values) === `0x${digits}` ? values : undefined
  } catch {
    return undefined
  }
}

type Reader = { readonly digits: string; at: number }

function read(reader: Reader, count: number): string {
  const { digits, at } = reader
  reader.at += count
  if (reader.at > digits.length) throw new RangeError('end')
  return digits.slice(at, reader.at)
}

const readWord = (reader: Reader) => BigInt(`0x${read(reader, wordDigits)}`)

/**
 * Reads heads, then the dynamic values in the order of their heads. The final comparison verifies
 * the offsets.
 */
function readAll(types: readonly AbiType[], reader: Reader): unknown[] {
  const late = types.map(isDynamic)
  const heads = types.map((type, at) =>
    late[at] ? read(reader, wordDigits) : readOne(type, reader),
  )
  return types.map((type, at) => (late[at] ? readOne(type, reader) : heads[at]))
}

function readOne(given: AbiType, reader: Reader): unknown {
  const list = readList(given)
  if (list) {
    const length = list.length ?? readCount(reader)
    // Each item takes at least one word.
    if (length * wordDigits > reader.digits.length - reader.at) throw new RangeError('end')
    return readAll(Array(length).fill(list.item), reader)
  }
  const { type, components = [] } = given
  if (type === 'tuple') return readAll(components, reader)
  if (type === 'bytes') return readBytes(reader)
  if (type === 'string') {
    const text = decodeUtf8(fromHex(readBytes(reader)))
    if (text === undefined) throw new RangeError(type)
    return text
  }
  return readAtom(type, read(reader, wordDigits))
}

const readCount = (reader: Reader) => {
  const count = readWord(reader)
  if (count > BigInt(reader.digits.length)) throw new RangeError('end')
  return Number(count)
}

function readBytes(reader: Reader): Hex {
  const digits = readCount(reader) * 2
  const padded = read(reader, Math.ceil(digits / wordDigits) * wordDigits)
  return `0x${padded.slice(0, digits)}`
}

function readAtom(type: string, digits: string): unknown {
  if (type === 'address') return checksumAddress(`0x${digits.slice(24)}`)
  if (type.startsWith('bytes')) return `0x${digits.slice(0, 2 * Number(type.slice(5)))}`
  const value = BigInt(`0x${digits}`)
  if (type === 'bool') return value === 1n
  return type.startsWith('int') ? BigInt.asIntN(256, value) : value
}
