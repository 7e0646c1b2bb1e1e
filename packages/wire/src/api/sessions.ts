import * as z from 'zod/mini'
import { permission, permissionGrant } from '../permissions/permissionRequest.ts'
import type { Route } from './route.ts'

const pci = z.string().check(z.regex(/^[0-9a-f-]{36}$/))
const hexData = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(100_000))
const nothing = z.object({})

/**
 * A key of the server, uncompressed. In version 1 its hex digits are encoded in hex a second time.
 */
const serverKey = z.object({ type: z.literal('secp256k1'), publicKey: z.string() })

/**
 * How much of an allowance is used in the current period, from the chain, in the smallest unit
 * (decimal).
 */
const use = z.object({ index: z.int(), used: z.string() })

/** A session in the API's list. `expiry`: seconds since 1970; other times are in milliseconds. */
export const sessionEntry = z.object({
  project: z.object({
    id: z.string(),
    name: z.string(),
    url: z.nullable(z.string()),
    iconUrl: z.nullable(z.string()),
  }),
  pci,
  /**
   * Requesting origin: verified by the secure frame, or, if another wallet granted the session,
   * from the browser's `Origin` header. Null if the request had no origin.
   */
  origin: z.nullable(z.string()),
  /** CAIP-2. */
  chainId: z.string(),
  expiry: z.number(),
  createdAt: z.number(),
  permissions: z.array(permission),
  policies: z.array(z.unknown()),
  context: z.nullable(z.string()),
  revokedAt: z.nullable(z.number()),
  /** One entry per permission, in the order of `readPermissions`; only for allowances. */
  uses: z.array(use),
  /** The address of the server's key, to which the account delegates. */
  delegate: z.string(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

/**
 * `POST /v1/sessions/:address` (CAIP-10): a key of the server for a new session. With `v=2` the key
 * is `0x04…`.
 */
export const createSessionRoute = {
  method: 'POST',
  path: '/v1/sessions/:address',
  body: permissionGrant,
  result: z.object({ pci, key: serverKey }),
} as const satisfies Route

/**
 * Activates a session whose permissions are on the chain. The other fields are the requested
 * {@link permissionGrant}; if it has two keys, the server owns one.
 */
export const activateSessionRoute = {
  method: 'POST',
  path: '/v1/sessions/:address/activate',
  body: z.looseObject({ pci }),
  result: nothing,
} as const satisfies Route

/** The sessions of an account that the project has, the newest first. */
export const listSessionsRoute = {
  method: 'GET',
  path: '/v1/sessions/:address',
  result: z.object({ pcis: z.array(sessionEntry) }),
} as const satisfies Route

export const readSessionContextRoute = {
  method: 'GET',
  path: '/v1/sessions/:address/getcontext',
  query: z.object({ pci }),
  result: z.object({ context: z.nullable(hexData) }),
} as const satisfies Route

/**
 * Ends a session that is revoked on chain, or that is ended by a signature of the session's key
 * over `pci` (DER in base64, SHA-256).
 */
export const revokeSessionRoute = {
  method: 'POST',
  path: '/v1/sessions/:address/revoke',
  body: z.object({ pci, signature: z.optional(z.string().check(z.maxLength(1_000))) }),
  result: nothing,
} as const satisfies Route

/**
 * The server's signature for a user operation that the session's key has signed and that is within
 * the permissions.
 */
export const signSessionRoute = {
  method: 'POST',
  path: '/v1/sessions/:address/sign',
  body: z.object({ pci, userOp: z.record(z.string(), z.unknown()) }),
  result: z.object({ signature: hexData }),
} as const satisfies Route

/** A wallet's response to wallet_grantPermissions; it may have other fields. */
export const grantAnswer = z.object({
  context: z.string().check(z.minLength(1), z.maxLength(100_000)),
  expiry: z.number(),
  permissions: z.array(permission),
})

const account = z.string().check(z.regex(/^eip155:[1-9]\d{0,15}:0x[0-9a-fA-F]{40}$/))

const asked = {
  projectId: z.string().check(z.maxLength(100)),
  origin: z.string().check(z.maxLength(300)),
  account,
  grant: permissionGrant,
}

/**
 * The same for the secure frame, which knows the page's origin. If the grant has two keys, one must
 * be the key that {@link createSessionRoute} returned to this page for the same session. `key` in
 * the response is this key. Frames without `v` cannot confirm a session
 * ({@link confirmSessionRoute}), so they cannot open one.
 */
export const grantSessionRoute = {
  method: 'POST',
  path: '/api/sessions',
  body: z.object({ ...asked, v: z.optional(z.literal(2)) }),
  result: z.object({ pci, key: serverKey, delegate: z.string() }),
} as const satisfies Route

export const confirmSessionRoute = {
  method: 'POST',
  path: '/api/sessions/activate',
  body: z.object({ ...asked, pci }),
  result: nothing,
} as const satisfies Route

/** The sessions of an account that the page's project has. */
export const readSessionsRoute = {
  method: 'POST',
  path: '/api/sessions/list',
  body: z.object({ account, projectId: z.string().check(z.maxLength(100)) }),
  result: z.object({ sessions: z.array(sessionEntry) }),
} as const satisfies Route

export const endPermissionSessionRoute = {
  method: 'POST',
  path: '/api/sessions/revoke',
  body: z.object({ account, pci }),
  result: nothing,
} as const satisfies Route

const call = z.object({
  to: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  value: z.optional(z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))),
  data: z.optional(z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(48_000))),
})

/**
 * `wallet_prepareCalls` of `POST /v1/wallet`: calls of a session as a user operation, and the hash
 * that the session's key signs.
 */
export const prepareCallsParams = z.tuple([
  z.object({
    from: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
    chainId: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,14}$/)),
    calls: z.array(call).check(z.minLength(1), z.maxLength(20)),
    capabilities: z.looseObject({ permissions: z.object({ context: pci }) }),
  }),
])

/** `wallet_sendPreparedCalls`: the operation with the signature of the session's key. */
export const sendPreparedCallsParams = z.tuple([
  z.object({
    preparedCalls: z.object({
      type: z.literal('user-operation-v07'),
      data: z.record(z.string(), z.unknown()),
      chainId: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,14}$/)),
    }),
    signature: hexData,
    context: pci,
  }),
])
