import {
  getTypesForEIP712Domain,
  stringify,
  type TypedDataDefinition,
  validateTypedData,
} from 'viem'
import { invalid } from './signOnDevice.ts'

type Types = Record<string, readonly { name: string; type: string }[]>
type Fields = Record<string, unknown>

/** Typed data (EIP-712) that nobody else holds, and that reads the same for whoever shows, hashes or sends it. */
export type TypedData = { types: Types; primaryType: string; domain: Fields; message: Fields }

const identifier = /^[A-Za-z_]\w*$/
const primitive = /^(string|bool|address|bytes\d*|u?int\d*)$/
const array = /^(.*)\[(\d*)\]$/

/** A private copy of what a page asks for: what it changes meanwhile is not signed. Throws INVALID_PARAMS. */
export function parseTypedData(value: unknown): TypedData {
  try {
    const parsed = JSON.parse(typeof value === 'string' ? value : stringify(value)) as TypedData
    const { domain = {}, primaryType, message } = parsed
    const types = { ...parsed.types }
    types.EIP712Domain ??= getDomainTypes(domain)
    const whole = { types, primaryType, domain, message }
    assertTypes(types)
    if (primaryType === 'EIP712Domain') throw new TypeError('There is no message')
    assertValue(domain, 'EIP712Domain', types)
    assertValue(message, primaryType, types)
    validateTypedData(whole as unknown as TypedDataDefinition)
    return whole
  } catch (cause) {
    throw invalid('typed data needs domain, types, primaryType and message that fit', cause)
  }
}

/** The copy has large numbers as texts, which name a network too. */
function getDomainTypes({ chainId, ...domain }: Fields) {
  const asNumber = chainId === undefined ? {} : { chainId: Number(chainId) }
  return getTypesForEIP712Domain({ domain: { ...domain, ...asNumber } })
}

/** Names that cannot be taken for another type, an array or a second field. */
function assertTypes(types: Types) {
  for (const [name, fields] of Object.entries(types)) {
    const names = fields.map((field) => field.name)
    const isFit =
      [name, ...names].every((one) => typeof one === 'string' && identifier.test(one)) &&
      !primitive.test(name) &&
      new Set(names).size === names.length
    if (!isFit) throw new TypeError(`The type ${name} has a name that it cannot have`)
  }
}

/** A value of another kind than its type's would be shown otherwise than it is hashed. */
function assertValue(value: unknown, type: unknown, types: Types): void {
  if (typeof type !== 'string') throw new TypeError('A type is no text')
  const [, inner, length] = array.exec(type) ?? []
  if (inner !== undefined) {
    const isFit = Array.isArray(value) && (!length || value.length === Number(length))
    if (!isFit) throw new TypeError(`Not of type ${type}`)
    for (const entry of value as unknown[]) assertValue(entry, inner, types)
  } else if (Object.hasOwn(types, type)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new TypeError(`Not of type ${type}`)
    for (const field of types[type] ?? [])
      assertValue(
        Object.hasOwn(value, field.name) ? (value as Fields)[field.name] : undefined,
        field.type,
        types,
      )
  } else if (!primitive.test(type) || !isPrimitive(value, type))
    throw new TypeError(`Not of type ${type}`)
}

function isPrimitive(value: unknown, type: string): boolean {
  if (type === 'string') return typeof value === 'string'
  if (type === 'bool') return typeof value === 'boolean'
  if (/^u?int/.test(type) && typeof value === 'number') return Number.isInteger(value)
  if (typeof value !== 'string') return false
  if (type === 'address') return /^0x[0-9a-fA-F]{40}$/.test(value)
  return type.startsWith('bytes')
    ? /^0x([0-9a-fA-F]{2})*$/.test(value)
    : /^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)
}
