import { bytesToHex } from '@latchkey/wire'
import type { Hex } from 'viem'
import { utf8 } from '../../../wallet/crypto/bytes.ts'

/**
 * A type of Solidity's ABI. `components`: the parts of a struct (`tuple`), or of the structs of a
 * list (`tuple[]`).
 */
export type AbiType = {
  readonly type: string
  readonly components?: readonly AbiType[] | undefined
}

/**
 * Encodes values as the arguments of a call, in the strict mode of the ABI specification. Numbers
 * are `bigint`, structs and lists are arrays, bytes are hex. Throws RangeError for a value or a
 * type that does not fit.
 */
export const encodeAbi = (types: readonly AbiType[], values: readonly unknown[]): Hex =>
  `0x${encodeAll(types, values)}`

/**
 * Heads, followed by the dynamic values. The head of a dynamic value is its offset in bytes from
 * the first head.
 */
function encodeAll(types: readonly AbiType[], values: unknown): string {
  if (!Array.isArray(values) || values.length !== types.length) throw new RangeError('count')
  const parts = types.map((type, at) => {
    const digits = encodeOne(type, values[at])
    return isDynamic(type) ? { head: wordDigits, tail: digits } : { head: digits.length, digits }
  })
  let end = parts.reduce((sum, { head }) => sum + head, 0)
  const heads = parts.map(({ digits, tail = '' }) => {
    const head = digits ?? word(BigInt(end / 2))
    end += tail.length
    return head
  })
  return [...heads, ...parts.map(({ tail = '' }) => tail)].join('')
}

function encodeOne(given: AbiType, value: unknown): string {
  const list = readList(given)
  if (list) {
    if (!Array.isArray(value) || (list.length ?? value.length) !== value.length)
      throw new RangeError(given.type)
    const items = encodeAll(Array(value.length).fill(list.item), value)
    return list.length === undefined ? `${word(BigInt(value.length))}${items}` : items
  }
  const { type, components = [] } = given
  if (type === 'tuple') return encodeAll(components, value)
  if (type === 'string' && typeof value === 'string') return encodeBytes(bytesToHex(utf8(value)))
  if (type === 'bytes') return encodeBytes(readDigits(value))
  return encodeWord(type, value)
}

/** 32 bytes in hex digits. */
export const wordDigits = 64
const word = (value: bigint) => value.toString(16).padStart(wordDigits, '0')
const toWords = (digits: string) =>
  digits.padEnd(Math.ceil(digits.length / wordDigits) * wordDigits, '0')
const encodeBytes = (digits: string) => `${word(BigInt(digits.length / 2))}${toWords(digits)}`

/** Encodes a value that takes one word. */
function encodeWord(type: string, value: unknown): string {
  if (type === 'bool' && typeof value === 'boolean') return word(value ? 1n : 0n)
  if (type === 'address' && readDigits(value).length === 40) return word(BigInt(value as Hex))
  const [, kind, size] = /^(bytes|u?int)([1-9]\d{0,2})$/.exec(type) ?? []
  const count = Number(size)
  if (kind === 'bytes' && count <= 32 && readDigits(value).length === count * 2)
    return toWords(readDigits(value))
  if (kind && kind !== 'bytes' && count % 8 === 0 && count <= 256 && typeof value === 'bigint') {
    const cut = kind === 'int' ? BigInt.asIntN(count, value) : BigInt.asUintN(count, value)
    if (cut === value) return word(BigInt.asUintN(256, value))
  }
  throw new RangeError(type)
}

function readDigits(value: unknown): string {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw new RangeError('bytes')
  return value.slice(2).toLowerCase()
}

/**
 * The item type of a list, and its length if the type fixes it. Throws RangeError for a length of
 * zero: such a list takes no bytes.
 */
export function readList({
  type,
  components,
}: AbiType): { readonly item: AbiType; readonly length: number | undefined } | undefined {
  const [, item, length = ''] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (item === undefined) return undefined
  if (Number(length) === 0 && length !== '') throw new RangeError(type)
  return { item: { type: item, components }, length: length === '' ? undefined : Number(length) }
}

/**
 * Computed once per type: a list of structs would otherwise check all their members for each item.
 */
const dynamic = new WeakMap<AbiType, boolean>()

/**
 * Whether the size of a type is dynamic. Throws RangeError for an empty struct, and for components
 * of a type that is not a struct: they would be shown in its place.
 */
export function isDynamic(given: AbiType): boolean {
  const found = dynamic.get(given) ?? findDynamic(given)
  dynamic.set(given, found)
  return found
}

function findDynamic(given: AbiType): boolean {
  const list = readList(given)
  if (list) return list.length === undefined || isDynamic(list.item)
  const { type, components } = given
  if ((type === 'tuple') !== (components !== undefined) || components?.length === 0)
    throw new RangeError(type)
  return components?.some(isDynamic) ?? (type === 'bytes' || type === 'string')
}
