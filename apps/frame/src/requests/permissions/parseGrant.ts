import { LatchkeyError, omitNulls } from '@latchkey/wire'
import {
  maxSessionSeconds,
  type Permission,
  type PermissionGrant,
  permissionGrant,
} from '@latchkey/wire/permissions'
import * as z from 'zod/mini'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { assertAccount, invalidParameters } from '../params.ts'

const chainId = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,14}$/))
const head = z.object({ chainId: z.optional(chainId), address: z.optional(z.string()) })
const quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
const key = z.object({ type: z.enum(['secp256k1', 'secp256r1']), publicKey: z.string() })

/** The current form of ERC-7715: one permission per request, and rules. */
const periodic = {
  periodAmount: quantity,
  periodDuration: z.int(),
  startTime: z.optional(z.int()),
  justification: z.optional(z.string()),
}
const current = z.object({
  chainId,
  address: z.optional(z.string()),
  expiry: z.optional(z.int()),
  signer: z.object({ type: z.literal('keys'), data: z.object({ keys: z.array(key) }) }),
  permission: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('native-token-periodic'),
      isAdjustmentAllowed: z.optional(z.boolean()),
      data: z.strictObject(periodic),
    }),
    z.object({
      type: z.literal('erc20-token-periodic'),
      isAdjustmentAllowed: z.optional(z.boolean()),
      data: z.strictObject({ ...periodic, tokenAddress: z.string() }),
    }),
  ]),
  rules: z.optional(
    z.array(z.object({ type: z.literal('expiry'), data: z.object({ timestamp: z.int() }) })),
  ),
})

/** The permissions that a page requests. `mayLower`: whether the page accepts less. */
export type ParsedGrant = { readonly grant: PermissionGrant; readonly mayLower: boolean }

/**
 * Parses the parameters of wallet_grantPermissions: one request, in the form of our API or in the
 * current form of ERC-7715. Throws INVALID_PARAMS for anything unknown, UNAUTHORIZED,
 * CHAIN_NOT_SUPPORTED, and SIGNING_REFUSED if it does not end within a year.
 */
export function parseGrant({ params, accounts, chain, now }: ApprovalRequest): ParsedGrant {
  const [requested, ...more] = Array.isArray(params) ? (omitNulls(params) as unknown[]) : []
  const top = z.safeParse(head, requested)
  if (!top.success || more.length > 0) throw invalidParameters('permissions')
  if (top.data.address !== undefined) assertAccount(top.data.address, accounts.eip155)
  if (top.data.chainId !== undefined && BigInt(top.data.chainId) !== BigInt(chain.reference))
    throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  const seconds = Math.floor(now() / 1_000)
  const { given, mayLower } = toGrant(requested, seconds)
  const parsed = z.safeParse(permissionGrant, given)
  if (!parsed.success)
    throw invalidParameters(parsed.error.issues[0]?.path.join('.') || 'permissions')
  const refuse = (reason: string) => new LatchkeyError('SIGNING_REFUSED', { data: { reason } })
  const { expiry, signer } = parsed.data
  if (expiry <= seconds) throw refuse('it has ended already')
  if (expiry > seconds + maxSessionSeconds) throw refuse('it would last for more than a year')
  // With two keys, the server made its key for exactly this grant: a lower grant would be another
  // session.
  return { grant: parsed.data, mayLower: mayLower && signer.data.keys.length === 1 }
}

function toGrant(requested: unknown, seconds: number): { given: unknown; mayLower: boolean } {
  const parsed = z.safeParse(current, requested)
  if (!parsed.success) return { given: withPolicies(requested), mayLower: true }
  const { permission, rules = [], signer, expiry } = parsed.data
  const { periodAmount, periodDuration, startTime } = permission.data
  const terms = { allowance: periodAmount, period: periodDuration, start: startTime ?? seconds }
  const ends = [expiry, ...rules.map(({ data }) => data.timestamp)].filter(
    (one) => one !== undefined,
  )
  const given = {
    expiry: ends.length > 0 ? Math.min(...ends) : undefined,
    signer,
    policies: [],
    permissions: [
      permission.type === 'native-token-periodic'
        ? { type: 'native-token-recurring-allowance', data: terms }
        : {
            type: 'erc20-recurring-allowance',
            data: { ...terms, token: permission.data.tokenAddress },
          },
    ],
  }
  return { given, mayLower: permission.isAdjustmentAllowed !== false }
}

const withPolicies = (requested: unknown) => ({ policies: [], ...(requested as object) })

/**
 * Returns the same request with less of its only allowance. Throws INVALID_PARAMS if the amount is
 * zero or exceeds the requested amount.
 */
export function lowerGrant(requested: ParsedGrant, amount: bigint): ParsedGrant {
  const [one] = requested.grant.permissions
  if (!one || one.type === 'contract-call') throw invalidParameters('amount')
  if (amount <= 0n || amount > BigInt(one.data.allowance)) throw invalidParameters('amount')
  const data = { ...one.data, allowance: `0x${amount.toString(16)}` }
  return {
    ...requested,
    grant: { ...requested.grant, permissions: [{ ...one, data } as Permission] },
  }
}
