import * as z from 'zod/mini'
import type { Route } from './route.ts'

const nameAddressRecord = z.object({
  address: z.string(),
  created_at: z.nullable(z.string()),
  /** `created_at` under the name that other clients use. */
  created: z.nullable(z.string()),
})

/** A registered name. `addresses` is by coin type (ENSIP-9, ENSIP-11). Times are ISO 8601. */
export const nameRecord = z.object({
  name: z.string(),
  registered_at: z.string(),
  updated_at: z.string(),
  attributes: z.nullable(z.record(z.string(), z.string())),
  addresses: z.record(z.string(), nameAddressRecord),
})
export type NameRecord = z.infer<typeof nameRecord>

const sender = z.optional(z.string())
/** `2`: no match is an empty list instead of a 404. */
const apiVersion = z.optional(z.string())

/**
 * A signed change (EIP-191): `message` is JSON and is sent unchanged with its signature.
 * `coin_type` is the network on which the signature is valid, `address` the signer with its EIP-55
 * checksum.
 */
const signedChange = z.object({
  message: z.string().check(z.maxLength(4_000)),
  signature: z.string().check(z.maxLength(20_000)),
  coin_type: z.number(),
  address: z.string().check(z.maxLength(100)),
})
export type SignedNameChange = z.infer<typeof signedChange>

/**
 * `GET /v1/profile/zones`: the zones in which names can be registered, for example `latchkey.id`.
 * New names use the first zone.
 */
export const nameZonesRoute = {
  method: 'GET',
  path: '/v1/profile/zones',
  result: z.object({ zones: z.array(z.string()) }),
} as const satisfies Route

/** `GET /v1/profile/account/{name}`: a registered name, or an empty list (404 before version 2). */
export const nameLookupRoute = {
  method: 'GET',
  path: '/v1/profile/account/:name',
  query: z.object({ apiVersion, sender }),
  result: z.union([nameRecord, z.array(nameRecord)]),
} as const satisfies Route

/** `POST /v1/profile/account`: registers the name in the signed message. */
export const nameRegistrationRoute = {
  method: 'POST',
  path: '/v1/profile/account',
  body: signedChange,
  // Missing from older servers.
  result: z.extend(nameRecord, { success: z.optional(z.literal(true)) }),
} as const satisfies Route

/**
 * `GET /v1/profile/reverse/{address}`: the names of an account: its primary name first, then the
 * oldest. `all` adds the names with which others point to it.
 */
export const namesOfAddressRoute = {
  method: 'GET',
  path: '/v1/profile/reverse/:address',
  query: z.object({ apiVersion, sender, all: z.optional(z.string()) }),
  result: z.array(nameRecord),
} as const satisfies Route

/**
 * `GET /v1/profile/suggestions/{name}`: the name itself, registered or not, and up to four free
 * names.
 */
export const nameSuggestionsRoute = {
  method: 'GET',
  path: '/v1/profile/suggestions/:name',
  query: z.object({ zone: z.optional(z.string()) }),
  result: z.object({
    suggestions: z.array(z.object({ name: z.string(), registered: z.boolean() })),
  }),
} as const satisfies Route

/** `POST …/{name}/attributes`: replaces the attributes and returns them. */
export const nameAttributesRoute = {
  method: 'POST',
  path: '/v1/profile/account/:name/attributes',
  body: signedChange,
  result: z.record(z.string(), z.string()),
} as const satisfies Route

/** `POST …/{name}/address`: replaces the address of one coin type and returns it. */
export const nameAddressUpdateRoute = {
  method: 'POST',
  path: '/v1/profile/account/:name/address',
  body: signedChange,
  result: z.record(z.string(), nameAddressRecord),
} as const satisfies Route

/** `POST …/{name}/transfer`: transfers the name to another account. */
export const nameTransferRoute = {
  method: 'POST',
  path: '/v1/profile/account/:name/transfer',
  body: signedChange,
  result: nameRecord,
} as const satisfies Route

/**
 * `POST …/{name}/primary`: makes this name the account's primary name, until the account chooses
 * another name, or transfers or releases this one.
 */
export const namePrimaryRoute = {
  method: 'POST',
  path: '/v1/profile/account/:name/primary',
  body: signedChange,
  result: nameRecord,
} as const satisfies Route

/** `POST …/{name}/release`: releases the name. */
export const nameReleaseRoute = {
  method: 'POST',
  path: '/v1/profile/account/:name/release',
  body: signedChange,
  result: z.object({ status: z.literal('SUCCESS') }),
} as const satisfies Route
