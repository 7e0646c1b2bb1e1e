import { isError, parseBoundedJson } from '@latchkey/wire'
import {
  getTypesForEIP712Domain,
  stringify,
  type TypedDataDefinition,
  validateTypedData,
} from 'viem'
import { invalidDeviceResponse } from './signOnDevice.ts'

type Types = Record<string, readonly { name: string; type: string }[]>
type Fields = Record<string, unknown>

/**
 * A private copy of typed data (EIP-712) that is read the same way for display, hashing and
 * sending.
 */
export type LedgerTypedData = { types: Types; primaryType: string; domain: Fields; message: Fields }

const identifier = /^[\w$][\w$:./-]*$/
const primitive = /^(string|bool|address|bytes\d*|u?int\d*)$/
const array = /^(.*)\[(\d*)\]$/

/**
 * Copies the typed data of a request, so that later changes by the page are not signed. Throws
 * INVALID_PARAMS.
 */
export function parseTypedData(value: unknown): LedgerTypedData {
  try {
    const parsed = parseBoundedJson(
      typeof value === 'string' ? value : stringify(value),
    ) as LedgerTypedData
    const { domain = {}, primaryType, message } = parsed
    const types = { ...parsed.types }
    types.EIP712Domain ??= getDomainTypes(domain)
    const whole = { types, primaryType, domain, message }
    assertTypes(types)
    if (primaryType === 'EIP712Domain') throw invalidDeviceResponse('primaryType EIP712Domain')
    assertValue(domain, { type: 'EIP712Domain', path: 'domain' }, types)
    assertValue(message, { type: primaryType, path: 'message' }, types)
    validateTypedData(whole as unknown as TypedDataDefinition)
    return whole
  } catch (cause) {
    if (isError(cause)) throw cause
    throw invalidDeviceResponse(
      'typed data needs domain, types, primaryType and message that fit',
      cause,
    )
  }
}

/** The domain's types. The copy has large numbers as strings, the chain id among them. */
function getDomainTypes({ chainId, ...domain }: Fields) {
  const asNumber = chainId === undefined ? {} : { chainId: Number(chainId) }
  return getTypesForEIP712Domain({ domain: { ...domain, ...asNumber } })
}

/** Refuses names that could be read as another type, an array or a second field. */
function assertTypes(types: Types) {
  for (const [name, fields] of Object.entries(types)) {
    if (!identifier.test(name) || primitive.test(name))
      throw invalidDeviceResponse(`type name ${name}`)
    for (const [at, field] of fields.entries()) {
      const isFit = typeof field.name === 'string' && identifier.test(field.name)
      if (!isFit || fields.findIndex((one) => one.name === field.name) !== at)
        throw invalidDeviceResponse(`field name ${name}.${field.name}`)
    }
  }
}

/**
 * Refuses values of another kind than their type's, because they would be shown differently than
 * they are hashed.
 */
function assertValue(
  value: unknown,
  { type, path }: { type: unknown; path: string },
  types: Types,
) {
  const misfit = () => invalidDeviceResponse(`${path} is not a valid ${String(type)}`)
  if (typeof type !== 'string') throw misfit()
  const [, inner, length] = array.exec(type) ?? []
  if (inner !== undefined) {
    if (!Array.isArray(value) || (length && value.length !== Number(length))) throw misfit()
    for (const [at, entry] of value.entries())
      assertValue(entry, { type: inner, path: `${path}[${at}]` }, types)
  } else if (Object.hasOwn(types, type)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit()
    for (const field of types[type] ?? []) {
      const own = Object.hasOwn(value, field.name) ? (value as Fields)[field.name] : undefined
      assertValue(own, { type: field.type, path: `${path}.${field.name}` }, types)
    }
  } else if (!primitive.test(type) || !isPrimitive(value, type)) throw misfit()
}

/**
 * Whether the data has a number in a `string` field. Ledger's packages cannot send it to the
 * device, which signs the hashes instead.
 */
export const hasNumericText = ({ types, primaryType, domain, message }: LedgerTypedData): boolean =>
  isNumericText(domain, 'EIP712Domain', types) || isNumericText(message, primaryType, types)

function isNumericText(value: unknown, type: string, types: Types): boolean {
  const [, inner] = array.exec(type) ?? []
  if (inner !== undefined)
    return (value as unknown[]).some((entry) => isNumericText(entry, inner, types))
  if (!Object.hasOwn(types, type)) return type === 'string' && typeof value === 'number'
  return (types[type] ?? []).some((field) =>
    isNumericText((value as Fields)[field.name], field.type, types),
  )
}

function isPrimitive(value: unknown, type: string): boolean {
  if (type === 'string' && typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0
  if (type === 'string') return typeof value === 'string'
  if (type === 'bool') return typeof value === 'boolean'
  if (/^u?int/.test(type) && typeof value === 'number') return Number.isInteger(value)
  if (typeof value !== 'string') return false
  if (type === 'address') return /^0x[0-9a-fA-F]{40}$/.test(value)
  return type.startsWith('bytes')
    ? /^0x([0-9a-fA-F]{2})*$/.test(value)
    : /^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)
}
