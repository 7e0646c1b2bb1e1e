import { LatchkeyError } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, concat, fromHex, toBytes, utf8 } from '../crypto/bytes.ts'
import { type TypedData, typedData } from './typedDataSchema.ts'

type Types = TypedData['types']
type Fields = Types[string]

const domainFields: Fields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]
const depthMax = 64

/**
 * The digest that is signed (EIP-712). Throws `SIGNING_REFUSED` on a value that does not fit its
 * type.
 */
export function hashTypedData(from: TypedData): Bytes {
  const parsed = typedData.safeParse(from)
  if (!parsed.success) throw refused('it is not typed data', parsed.error)
  const { primaryType, domain, message } = parsed.data
  const types: Types = {
    ...parsed.data.types,
    EIP712Domain:
      own(parsed.data.types, 'EIP712Domain') ??
      domainFields.filter(({ name }) => Object.hasOwn(domain, name)),
  }
  const at: StructPosition = { types, typeHashes: new Map(), depth: 0 }
  const parts = [Uint8Array.of(0x19, 0x01), hashStruct('EIP712Domain', domain, at)]
  if (primaryType !== 'EIP712Domain') parts.push(hashStruct(primaryType, message, at))
  return keccak(concat(...parts))
}

type StructPosition = {
  readonly types: Types
  /** By the names of structs: a list may have thousands of the same type. */
  readonly typeHashes: Map<string, Bytes>
  readonly depth: number
}

function hashStruct(name: string, value: Record<string, unknown>, at: StructPosition): Bytes {
  const { types, typeHashes, depth } = at
  if (depth > depthMax) throw refused('it is too deep')
  const encoded = getFields(types, name).map((field) =>
    encodeField(field.type, own(value, field.name), { ...at, depth: depth + 1 }),
  )
  const typeHash = typeHashes.get(name) ?? keccak(utf8(encodeType(name, types)))
  typeHashes.set(name, typeHash)
  return keccak(concat(typeHash, ...encoded))
}

/**
 * `Mail(Person from,string contents)Person(…)`: the struct first, those it uses after it by name.
 */
function encodeType(name: string, types: Types): string {
  const used = new Set<string>()
  collect(name, types, used)
  used.delete(name)
  return [name, ...[...used].sort()]
    .map((each) => {
      const inner = getFields(types, each).map((field) => `${field.type} ${field.name}`)
      return `${each}(${inner.join(',')})`
    })
    .join('')
}

/**
 * As viem and wallets do, a name is looked up by its letters before a colon or another sign: `A`
 * for `A:B`.
 */
function collect(type: string, types: Types, used: Set<string>): void {
  const name = /^\w*/.exec(type)?.[0] ?? ''
  if (used.has(name) || !Object.hasOwn(types, name)) return
  used.add(name)
  for (const field of getFields(types, name)) collect(field.type, types, used)
}

function encodeField(type: string, value: unknown, at: StructPosition): Bytes {
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    const [, inner = '', length = ''] = array
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw refused(`a ${type} is no such list`)
    if (at.depth > depthMax) throw refused('it is too deep')
    const deeper = { ...at, depth: at.depth + 1 }
    return keccak(concat(...value.map((item) => encodeField(inner, item, deeper))))
  }
  if (Object.hasOwn(at.types, type)) {
    // Like other wallets: an absent struct is 32 zero bytes.
    if (value === undefined || value === null) return new Uint8Array(32)
    if (typeof value !== 'object' || Array.isArray(value)) throw refused(`a ${type} is no struct`)
    return hashStruct(type, value as Record<string, unknown>, at)
  }
  return encodeAtom(type, value)
}

function encodeAtom(type: string, value: unknown): Bytes {
  if (type === 'string') {
    // viem and wallets hash a number in a `string` field by its bytes, without leading zeros.
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      const digits = value.toString(16)
      return keccak(fromHex(`0x${digits.length % 2 ? '0' : ''}${digits}`))
    }
    if (typeof value !== 'string') throw refused('a string is no text')
    return keccak(utf8(value))
  }
  if (type === 'bytes') return keccak(hex(value, type))
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw refused('a bool is neither true nor false')
    return word(value ? 1n : 0n)
  }
  if (type === 'address') {
    const bytes = hex(value, type)
    if (bytes.length !== 20) throw refused('an address has not 20 bytes')
    return concat(new Uint8Array(12), bytes)
  }
  const fixed = /^bytes(\d{1,2})$/.exec(type)
  if (fixed) {
    const size = Number(fixed[1])
    const bytes = hex(value, type)
    if (size < 1 || size > 32 || bytes.length !== size)
      throw refused(`a ${type} has another length`)
    return concat(bytes, new Uint8Array(32 - size))
  }
  const whole = /^(u?)int(\d{1,3})?$/.exec(type)
  if (whole)
    return encodeInteger(value, { type, signed: whole[1] === '', bits: Number(whole[2] ?? 256) })
  throw refused(`the type ${type} is not known`)
}

type IntegerType = { readonly type: string; readonly signed: boolean; readonly bits: number }

function encodeInteger(value: unknown, { type, signed, bits }: IntegerType): Bytes {
  if (bits < 8 || bits > 256 || bits % 8 !== 0) throw refused(`the type ${type} is not known`)
  const number = parseInteger(value, type)
  const [low, high] = signed
    ? [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)]
    : [0n, 1n << BigInt(bits)]
  if (number < low || number >= high) throw refused(`a ${type} is out of its range`)
  return word(BigInt.asUintN(256, number))
}

function parseInteger(value: unknown, type: string): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
    return BigInt(value)
  throw refused(`a ${type} is no whole number`)
}

function hex(value: unknown, type: string): Bytes {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw refused(`a ${type} is not hex`)
  return fromHex(value)
}

function getFields(types: Types, name: string): Fields {
  const found = own(types, name)
  if (!found) throw refused(`the type ${name} is not described`)
  return found
}

const own = <T>(from: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(from, name) ? from[name] : undefined
const keccak = (bytes: Uint8Array): Bytes => toBytes(keccak_256(bytes))
const word = (value: bigint): Bytes => fromHex(value.toString(16).padStart(64, '0'))
const refused = (reason: string, cause?: unknown) =>
  new LatchkeyError('SIGNING_REFUSED', { data: { reason }, cause })
