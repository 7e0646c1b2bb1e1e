import { checksumAddress } from '@latchkey/wire'
import * as z from 'zod/mini'
import { invalidParams } from '../params.ts'

const maxLength = 200_000
const maxDepth = 12
const maxValues = 500
const maxText = 2_000

const fields = z.array(z.object({ name: z.string(), type: z.string() })).check(z.maxLength(64))
const typedDataShape = z.object({
  types: z.record(z.string(), fields),
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
})
type Types = z.infer<typeof typedDataShape>['types']

/** A value as its type signs it: numbers as decimals, bytes in lower case, addresses with their checksum. */
export type SignedValue =
  | string
  | boolean
  | SignedValue[]
  | { readonly [name: string]: SignedValue }
export type SignedStruct = { readonly [name: string]: SignedValue }

/** Typed data reduced to what is signed. `encoded`: the type as EIP-712 hashes it. */
export type SignedData = {
  readonly types: Types
  readonly primaryType: string
  readonly domain: SignedStruct
  readonly message: SignedStruct
  readonly encoded: string
}

/** The domain's fields (EIP-712). */
const domainTypes: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}
const identifier = /^(?!__)[A-Za-z_$][\w$]{0,63}$/
const atomic = /^(u?int\d*|bytes\d*|u?fixed.*|bool|string|address|function|mapping|struct)$/
const typeName = /^([A-Za-z_$][\w$]*)(\[\d{0,3}\]){0,4}$/

/**
 * Parses typed data (EIP-712) from JSON or an object and reduces it to what its types sign; exactly these values are
 * shown and signed. Throws INVALID_PARAMS if a name is not a plain identifier, a type or field is duplicated or
 * takes the name of another, a value is missing or does not match its type, the message is not covered, or the data
 * is too large to read.
 */
export function checkTypedData(from: unknown): SignedData {
  const parsed = z.safeParse(typedDataShape, typeof from === 'string' ? parseJson(from) : from)
  if (!parsed.success) throw invalidParams('typed data')
  const { primaryType } = parsed.data
  const names = Object.keys(parsed.data.domain)
  const types: Types = {
    EIP712Domain: Object.entries(domainTypes)
      .filter(([name]) => names.includes(name))
      .map(([name, type]) => ({ name, type })),
    ...parsed.data.types,
  }
  assertTypes(types)
  // It would sign only the domain, whatever the message says.
  if (primaryType === 'EIP712Domain' || !Object.hasOwn(types, primaryType))
    throw invalidParams('primaryType')
  let left = maxValues
  const read = (type: string, value: unknown, depth: number): SignedValue => {
    if (--left < 0 || depth > maxDepth) throw invalidParams('too much to be shown')
    const inner = /^(.*)\[(\d*)\]$/.exec(type)
    if (inner) {
      const [, each = '', length] = inner
      if (!Array.isArray(value) || (length && value.length !== Number(length)))
        throw invalidParams(`no ${type}`)
      return value.map((one) => read(each, one, depth + 1))
    }
    const own = Object.hasOwn(types, type) ? types[type] : undefined
    if (!own) return readAtom(type, value)
    if (typeof value !== 'object' || value === null) throw invalidParams(`no ${type}`)
    const entries = own.map(({ name, type: kind }) => {
      if (!Object.hasOwn(value, name)) throw invalidParams(`${name} is missing`)
      return [name, read(kind, (value as Record<string, unknown>)[name], depth + 1)] as const
    })
    return Object.fromEntries(entries)
  }
  const domain = read('EIP712Domain', parsed.data.domain, 0) as SignedStruct
  const message = read(primaryType, parsed.data.message, 0) as SignedStruct
  return { types, primaryType, domain, message, encoded: encodeType(primaryType, types) }
}

/** The type as EIP-712 hashes it: the struct first, then the types that it uses, sorted by name. */
function encodeType(primaryType: string, types: Types): string {
  const used = new Set<string>()
  const collect = (name: string) => {
    if (used.has(name) || !Object.hasOwn(types, name)) return
    used.add(name)
    for (const { type } of types[name] ?? []) collect(type.replace(/\[.*$/, ''))
  }
  collect(primaryType)
  used.delete(primaryType)
  return [primaryType, ...[...used].sort()]
    .map((name) => `${name}(${types[name]?.map((field) => `${field.type} ${field.name}`)})`)
    .join('')
}

function assertTypes(types: Types): void {
  for (const [name, list] of Object.entries(types)) {
    if (!identifier.test(name) || atomic.test(name)) throw invalidParams('name of a type')
    if (new Set(list.map((field) => field.name)).size !== list.length)
      throw invalidParams(`a field of ${name} comes twice`)
    for (const field of list) {
      if (!identifier.test(field.name)) throw invalidParams(`name of a field of ${name}`)
      const base = typeName.exec(field.type)?.[1] ?? ''
      if (!atomic.test(base) && !Object.hasOwn(types, base))
        throw invalidParams(`type of ${name}.${field.name}`)
      if (name === 'EIP712Domain' && own(domainTypes, field.name) !== field.type)
        throw invalidParams('domain')
    }
  }
}

const own = (from: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(from, name) ? from[name] : undefined

function readAtom(type: string, value: unknown): SignedValue {
  if (typeof value === 'string' && value.length > maxText)
    throw invalidParams('too long to be shown')
  const [, kind = '', digits] = /^(u?int|bytes|bool|string|address)(\d*)$/.exec(type) ?? []
  const size = digits ? Number(digits) : undefined
  const text = typeof value === 'number' ? String(value) : value
  if (kind === 'bool' && typeof value === 'boolean') return value
  if (typeof text !== 'string') throw invalidParams(`no ${type}`)
  if (kind === 'string' && text === value) return text
  if (kind === 'address' && /^0x[0-9a-f]{40}$/i.test(text))
    return checksumAddress(text.toLowerCase())
  if (kind === 'bytes' && /^0x([0-9a-f]{2})*$/i.test(text)) {
    const isFull = size === undefined || (size <= 32 && text.length === 2 + 2 * size)
    if (isFull) return text.toLowerCase()
  }
  if (/int/.test(kind) && /^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) {
    const [number, bits] = [BigInt(text), size ?? 256]
    const cut = kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
    if (bits >= 8 && bits <= 256 && bits % 8 === 0 && number === cut) return String(number)
  }
  throw invalidParams(`no ${type}`)
}

function parseJson(text: string): unknown {
  if (text.length > maxLength) throw invalidParams('typed data is too large to be shown')
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
