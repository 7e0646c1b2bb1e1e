import * as z from 'zod/mini'

const hexAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
const seconds = z.int().check(z.positive(), z.lte(10 ** 14))
const text = z.string().check(z.minLength(1), z.maxLength(100))

/** A key that may use the session. */
const sessionKey = z.strictObject({
  type: z.enum(['secp256k1', 'secp256r1']),
  /** SEC1, compressed or not. */
  publicKey: z.string().check(z.regex(/^0x[0-9a-fA-F]{66}([0-9a-fA-F]{64})?$/)),
})
export type SessionKey = z.infer<typeof sessionKey>

const argument = z.strictObject({
  operator: z.enum(['EQUAL', 'GREATER_THAN', 'LESS_THAN']),
  value: z.union([z.string().check(z.maxLength(80)), z.number(), z.boolean()]),
})
const allowance = { allowance: quantity, start: seconds, period: seconds }

/** One permission of a session. Unknown kinds and unknown fields are refused. */
export const permission = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('contract-call'),
    data: z.strictObject({
      address: hexAddress,
      abi: z
        .array(z.looseObject({ type: z.string(), name: z.optional(z.string()) }))
        .check(z.minLength(1), z.maxLength(100)),
      functions: z
        .array(
          z.strictObject({
            functionName: text,
            /** Limits by position of the argument; null for an argument without a limit. */
            args: z.optional(z.array(z.nullable(argument)).check(z.maxLength(16))),
            valueLimit: z.optional(quantity),
            operation: z.optional(z.enum(['CALL'])),
          }),
        )
        .check(z.minLength(1), z.maxLength(8)),
    }),
  }),
  z.strictObject({
    type: z.literal('native-token-recurring-allowance'),
    data: z.strictObject(allowance),
  }),
  z.strictObject({
    type: z.literal('erc20-recurring-allowance'),
    data: z.strictObject({ token: hexAddress, ...allowance }),
  }),
])
export type Permission = z.infer<typeof permission>

/**
 * The permissions of a page for an account, with their expiry; the form that the server stores.
 * `expiry`: seconds since 1970.
 */
export const permissionGrant = z.object({
  expiry: seconds,
  signer: z.strictObject({
    type: z.literal('keys'),
    data: z.strictObject({ keys: z.array(sessionKey).check(z.minLength(1), z.maxLength(2)) }),
  }),
  /** Clients expect this message for an empty list. */
  permissions: z
    .array(permission)
    .check(z.minLength(1, 'Permissions set is empty'), z.maxLength(8)),
  /**
   * No policy is supported, so the list must be empty: a policy that cannot be enforced must not be
   * granted.
   */
  policies: z.array(z.unknown()).check(z.maxLength(0)),
})
export type PermissionGrant = z.infer<typeof permissionGrant>
