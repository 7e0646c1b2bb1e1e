import { omitNulls, parseBoundedJson } from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { invalidParameters } from '../../params.ts'
import { atomicType, readSignedAtom, type SignedAtom } from './readSignedAtom.ts'

/** The maximum length of a message from a page, in characters. */
const maxLength = 1_048_576
/**
 * The maximum number of values, structs and lists. This many can be checked, hashed and rendered
 * within seconds on a slow phone.
 */
const maxValues = 60_000
const maxDepth = 60

const fields = z.array(z.object({ name: z.string(), type: z.string() }))
const struct = z.record(z.string(), z.unknown())
const typedDataShape = z.object({
  types: z.record(z.string(), fields),
  primaryType: z.string(),
  domain: z.nullish(struct),
  message: z.nullish(struct),
})
type Types = z.infer<typeof typedDataShape>['types']

/**
 * A value in the form that is signed: numbers as decimals, bytes in lower case, addresses with
 * their checksum.
 */
export type SignedValue = SignedAtom | SignedValue[] | { readonly [name: string]: SignedValue }
export type SignedStruct = { readonly [name: string]: SignedValue }

/**
 * Typed data reduced to the signed fields. `types`: the used types. `encoded`: the type in the form
 * that EIP-712 hashes.
 */
export type SignedData = {
  readonly types: Types
  readonly primaryType: string
  readonly domain: SignedStruct
  readonly message: SignedStruct
  readonly encoded: string
  /** The domain's network as a decimal; undefined unless the field has a number type. */
  readonly chainId: string | undefined
  /** The domain's contract; undefined unless the field has the type `address`. */
  readonly contract: Hex | undefined
  /** Whether the domain has only fields and types of EIP-712. */
  readonly hasUsualDomain: boolean
}

/** The domain's fields (EIP-712). */
const domainTypes: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}
// Without spaces and letters of other alphabets, a name cannot look like another name or like a
// sentence of the card.
const identifier = /^(?!__proto__$)[\w$][\w$:./-]{0,255}$/

/**
 * Parses typed data (EIP-712) from JSON or an object and reduces it to what its types sign; exactly
 * these values are shown and signed. Data that viem hashes is accepted, unless it could be shown
 * wrongly. Throws INVALID_PARAMS, which names the field, if a name is not a plain identifier, a
 * type or field is duplicated or takes the name of another, a value is missing or does not match
 * its type, the message is not covered, or the data is too large to read.
 */
export function checkTypedData(from: unknown): SignedData {
  const parsed = z.safeParse(typedDataShape, typeof from === 'string' ? parseJson(from) : from)
  if (!parsed.success)
    throw invalidParameters(`${['typed data', ...(parsed.error.issues[0]?.path ?? [])].join('.')}`)
  const { primaryType } = parsed.data
  const givenDomain = omitNulls(parsed.data.domain ?? {}) as object
  const givenMessage = parsed.data.message ?? {}
  const names = Object.keys(givenDomain)
  const given: Types = {
    EIP712Domain: Object.entries(domainTypes)
      .filter(([name]) => names.includes(name))
      .map(([name, type]) => ({ name, type })),
    ...parsed.data.types,
  }
  if (!Object.hasOwn(given, primaryType)) throw invalidParameters(`primaryType ${primaryType}`)
  // Only the domain is signed, not the message.
  if (primaryType === 'EIP712Domain' && Object.keys(givenMessage).length > 0)
    throw invalidParameters('primaryType EIP712Domain with a message')
  const types = Object.fromEntries(
    listUsed(primaryType, given).map((name) => [name, given[name] ?? []]),
  )
  assertTypes(types)
  const read = createReader(types)
  const domain = read('EIP712Domain', givenDomain, { path: 'domain', depth: 0 }) as SignedStruct
  const message =
    primaryType === 'EIP712Domain'
      ? {}
      : (read(primaryType, givenMessage, { path: 'message', depth: 0 }) as SignedStruct)
  const encoded = encodeType(primaryType, types)
  return { types, primaryType, domain, message, encoded, ...readDomain(domain, types) }
}

type ValuePosition = { readonly path: string; readonly depth: number }

/** Reads values by their types, up to a number of values and characters in all. */
function createReader(types: Types) {
  let [values, characters] = [maxValues, maxLength]
  return function read(type: string, value: unknown, { path, depth }: ValuePosition): SignedValue {
    characters -= typeof value === 'string' ? value.length : 0
    if (--values < 0) throw invalidParameters(`${path}: more than ${maxValues} values`)
    if (characters < 0) throw invalidParameters(`${path}: more than ${maxLength} characters`)
    if (depth > maxDepth) throw invalidParameters(`${path}: more than ${maxDepth} levels`)
    const [, each, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
    if (each !== undefined) {
      if (!Array.isArray(value) || (length && value.length !== Number(length)))
        throw invalidParameters(`${path} is not a valid ${type}`)
      return value.map((one, at) => read(each, one, { path: `${path}[${at}]`, depth: depth + 1 }))
    }
    const own = Object.hasOwn(types, type) ? types[type] : undefined
    if (!own) {
      const atom = readSignedAtom(type, value)
      if (atom === undefined) throw invalidParameters(`${path} is not a valid ${type}`)
      return atom
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalidParameters(`${path} is not a valid ${type}`)
    const entries = own.map(({ name, type: kind }) => {
      if (!Object.hasOwn(value, name)) throw invalidParameters(`${path}.${name} is missing`)
      const inner = (value as Record<string, unknown>)[name]
      return [name, read(kind, inner, { path: `${path}.${name}`, depth: depth + 1 })] as const
    })
    return Object.fromEntries(entries)
  }
}

function readDomain(domain: SignedStruct, types: Types) {
  const declared = types.EIP712Domain ?? []
  const typeOf = (name: string) => declared.find((field) => field.name === name)?.type ?? ''
  return {
    chainId: /^u?int\d*$/.test(typeOf('chainId')) ? String(domain.chainId) : undefined,
    contract:
      typeOf('verifyingContract') === 'address' ? (domain.verifyingContract as Hex) : undefined,
    hasUsualDomain: declared.every(
      ({ name, type }) => Object.hasOwn(domainTypes, name) && domainTypes[name] === type,
    ),
  }
}

type ToName = (type: string) => string
const dropLists: ToName = (type) => type.replace(/\[.*$/, '')
/**
 * Cuts a type name like viem and other wallets do when they look up the types that a hash names: at
 * a colon or another sign.
 */
const cutAtSign: ToName = (type) => /^\w*/.exec(type)?.[0] ?? ''

/** A type and the types that it uses. */
function collectTypes(type: string, types: Types, toName: ToName, used = new Set<string>()) {
  const name = toName(type)
  if (used.has(name) || !Object.hasOwn(types, name)) return used
  used.add(name)
  for (const field of types[name] ?? []) collectTypes(field.type, types, toName, used)
  return used
}

/** The names of all types that are read or hashed. */
function listUsed(primaryType: string, types: Types): string[] {
  const read = [primaryType, 'EIP712Domain'].flatMap((one) => [
    ...collectTypes(one, types, dropLists),
  ])
  return [...new Set(read.flatMap((one) => [one, ...collectTypes(one, types, cutAtSign)]))]
}

/**
 * The type in the form that EIP-712 hashes: the struct first, then the types that it uses, sorted
 * by name.
 */
function encodeType(primaryType: string, types: Types): string {
  const used = collectTypes(primaryType, types, cutAtSign)
  used.delete(primaryType)
  return [primaryType, ...[...used].sort()]
    .map((name) => `${name}(${types[name]?.map((field) => `${field.type} ${field.name}`)})`)
    .join('')
}

function assertTypes(types: Types): void {
  for (const [name, list] of Object.entries(types)) {
    if (!identifier.test(name) || atomicType.test(name))
      throw invalidParameters(`type name ${name}`)
    for (const [at, field] of list.entries()) {
      const base = field.type.replace(/(?:\[\d*\])+$/, '')
      if (!identifier.test(field.name)) throw invalidParameters(`field name ${name}.${field.name}`)
      if (!identifier.test(base)) throw invalidParameters(`type of ${name}.${field.name}`)
      if (list.findIndex((one) => one.name === field.name) !== at)
        throw invalidParameters(`${name}.${field.name} comes twice`)
    }
  }
}

function parseJson(text: string): unknown {
  if (text.length > maxLength)
    throw invalidParameters(`typed data: more than ${maxLength} characters`)
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}
