import * as z from 'zod/mini'
import { permission, permissionGrant } from '../permissions/permissionRequest.ts'
import type { Route } from './route.ts'

const pci = z.string().check(z.regex(/^[0-9a-f-]{36}$/))
const hexData = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(100_000))
const nothing = z.object({})

/** A key of the server; uncompressed. Of version 1, the text of its digits in hex once more. */
const serverKey = z.object({ type: z.literal('secp256k1'), publicKey: z.string() })

/** How much of an allowance its period has used, by the chain, in the smallest unit (decimal). */
const use = z.object({ index: z.int(), used: z.string() })

/** A session as the API lists it. `expiry`: seconds since 1970; the others milliseconds. */
export const sessionEntry = z.object({
  project: z.object({
    id: z.string(),
    name: z.string(),
    url: z.nullable(z.string()),
    iconUrl: z.nullable(z.string()),
  }),
  pci,
  /**
   * The origin that asked for it: as the secure frame has verified it, or, where another wallet
   * granted it, as a browser says; null where none did.
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
  /** By what is allowed, in the order of `readPermissions`; of allowances only. */
  uses: z.array(use),
  /** The address of the server's key, to which the account delegates. */
  delegate: z.string(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

/**
 * `POST /v1/sessions/:address` (CAIP-10): a key of the server for a new session. With `v=2` the key
 * is `0x04…`.
 */
export const createSession = {
  method: 'POST',
  path: '/v1/sessions/:address',
  body: permissionGrant,
  result: z.object({ pci, key: serverKey }),
} as const satisfies Route

/**
 * The chain has the permissions: the session may be used. The rest is the {@link permissionGrant}
 * that was asked for; of two keys, one is the server's.
 */
export const activateSession = {
  method: 'POST',
  path: '/v1/sessions/:address/activate',
  body: z.looseObject({ pci }),
  result: nothing,
} as const satisfies Route

/** The sessions of an account that the project has, the newest first. */
export const listSessions = {
  method: 'GET',
  path: '/v1/sessions/:address',
  result: z.object({ pcis: z.array(sessionEntry) }),
} as const satisfies Route

export const readSessionContext = {
  method: 'GET',
  path: '/v1/sessions/:address/getcontext',
  query: z.object({ pci }),
  result: z.object({ context: z.nullable(hexData) }),
} as const satisfies Route

/**
 * Ends a session that the chain has revoked, or with a signature of the session's own key over
 * `pci` (DER in base64, SHA-256).
 */
export const revokeSession = {
  method: 'POST',
  path: '/v1/sessions/:address/revoke',
  body: z.object({ pci, signature: z.optional(z.string().check(z.maxLength(1_000))) }),
  result: nothing,
} as const satisfies Route

/**
 * The server's signature for a user operation that the session's key has signed, within what is
 * allowed.
 */
export const signSession = {
  method: 'POST',
  path: '/v1/sessions/:address/sign',
  body: z.object({ pci, userOp: z.record(z.string(), z.unknown()) }),
  result: z.object({ signature: hexData }),
} as const satisfies Route

/** What a wallet answers to wallet_grantPermissions; other fields are its own. */
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
 * The same for the secure frame, which knows the page's origin. Of two keys, one has to be what
 * {@link createSession} has given this page for the same: `key` says which. Frames without `v`
 * cannot confirm a session ({@link confirmSession}), so they open none.
 */
export const grantSession = {
  method: 'POST',
  path: '/api/sessions',
  body: z.object({ ...asked, v: z.optional(z.literal(2)) }),
  result: z.object({ pci, key: serverKey, delegate: z.string() }),
} as const satisfies Route

export const confirmSession = {
  method: 'POST',
  path: '/api/sessions/activate',
  body: z.object({ ...asked, pci }),
  result: nothing,
} as const satisfies Route

/** The sessions of an account that the page's project has. */
export const readSessions = {
  method: 'POST',
  path: '/api/sessions/list',
  body: z.object({ account, projectId: z.string().check(z.maxLength(100)) }),
  result: z.object({ sessions: z.array(sessionEntry) }),
} as const satisfies Route

export const endPermissionSession = {
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
