import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** Maximum number of fields in a description. */
export const maxDescribedFields = 64
/** Maximum number of parameters of a function at each level, including components of tuples. */
const maxParameters = 64
/** Maximum depth of nested tuples. */
const maxDepth = 16

const words = (maxLength: number) => z.string().check(z.minLength(1), z.maxLength(maxLength))
const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i))
const path = z
  .string()
  .check(z.maxLength(250), z.regex(/^(@\.(to|from)|#(\.\w+|\.?\[(-?\d{0,9}:)?-?\d{0,9}\])*)$/))

/** Display formats of a value (ERC-7730). */
export const fieldFormats = [
  'raw',
  'amount',
  'tokenAmount',
  'nftName',
  'date',
  'duration',
  'unit',
  'enum',
  'addressName',
  'calldata',
] as const

/** An ABI parameter. Only tuples have `components`. */
const parameter = z.strictObject({
  name: z.string().check(z.regex(/^\w{0,80}$/)),
  type: z.string().check(z.regex(/^[a-z0-9]{1,20}(\[\d{0,6}\]){0,4}$/)),
  get components() {
    return z.optional(z.array(parameter).check(z.maxLength(maxParameters)))
  },
})
export type DescribedParameter = z.infer<typeof parameter>

const getDepth = ({ components }: DescribedParameter): number =>
  components ? 1 + Math.max(0, ...components.map(getDepth)) : 0

/**
 * A field of signed data in the form of ERC-7730. `path` leads to the field from the root
 * (`#.a.[0].b`) or to a party of the call (`@.to`). References are already resolved.
 */
const field = z.strictObject({
  path,
  label: words(120),
  format: z.enum(fieldFormats),
  tokenPath: z.optional(path),
  token: z.optional(address),
  collectionPath: z.optional(path),
  collection: z.optional(address),
  /** Token addresses that stand for the network's currency. */
  native: z.optional(z.array(address).check(z.maxLength(10))),
  /** Of a date. */
  encoding: z.optional(z.enum(['timestamp', 'blockheight'])),
  /** Of a unit. */
  base: z.optional(words(30)),
  decimals: z.optional(z.int().check(z.gte(0), z.lte(77))),
  /** Of an enum: labels by number. */
  values: z.optional(z.record(z.string().check(z.maxLength(80)), words(120))),
})
export type DescribedField = z.infer<typeof field>

/**
 * Description of a function or typed data, from an ERC-7730 file or a verified ABI. These are
 * claims: they only add names to the signed data.
 */
const description = z.strictObject({
  /** `descriptor`: a file that the operator chose. `abi`: the published source of the contract. */
  source: z.enum(['descriptor', 'abi']),
  /** The function; absent for typed data. */
  name: z.optional(z.string().check(z.regex(/^\w{1,120}$/))),
  inputs: z.optional(
    z.array(parameter).check(
      z.maxLength(maxParameters),
      z.refine((all) => all.every((one) => getDepth(one) <= maxDepth)),
    ),
  ),
  /** The hashed type in EIP-712 encoding; absent for functions. */
  encodedType: z.optional(words(4_000)),
  /** Required domain of the typed data, otherwise the names do not apply. */
  domain: z.optional(
    z.strictObject({ name: z.optional(words(200)), version: z.optional(words(200)) }),
  ),
  owner: z.optional(words(120)),
  intent: z.optional(words(200)),
  fields: z.array(field).check(z.maxLength(maxDescribedFields)),
})
export type SignedDescription = z.infer<typeof description>

/**
 * Describes a function or typed data of one contract on one network, from the operator's file or
 * verified source. For the secure frame only, without proof. `key`: the selector, or the hash of
 * the EIP-712 type.
 */
export const describeSignedRoute = {
  method: 'POST',
  path: '/api/description',
  body: z.strictObject({
    chainId: z.string().check(z.regex(/^eip155:[1-9][0-9]{0,15}$/)),
    address,
    key: z.string().check(z.regex(/^0x([0-9a-f]{8}|[0-9a-f]{64})$/)),
  }),
  result: z.object({ description: z.nullable(description) }),
} as const satisfies Route
