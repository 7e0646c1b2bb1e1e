import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** Maximum number of addresses in one request. */
export const maxRiskAddresses = 50

const address = z.string().check(z.minLength(1), z.maxLength(64))

/**
 * Known risks of a site and of addresses. For the secure frame only, without proof. The result only
 * adds warnings: an empty result does not mean that something is safe, and the page must support
 * every kind of warning. `blockList`: whether the operator's list could be read, `off` if the
 * operator has no list. `listed`: the requested origin and addresses that are on the list. `young`:
 * contracts of the network that were created in the last 30 days. `misnamed`:
 * unlisted tokens whose names are bait or copies of other names.
 */
export const readRisksRoute = {
  method: 'POST',
  path: '/api/risks',
  body: z.strictObject({
    origin: z.string().check(z.minLength(1), z.maxLength(300)),
    /** CAIP-2; without it only the list is read. */
    chainId: z.optional(z.string().check(z.regex(/^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}$/))),
    addresses: z.array(address).check(z.maxLength(maxRiskAddresses)),
  }),
  result: z.strictObject({
    blockList: z.enum(['off', 'read', 'missing']),
    listed: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(maxRiskAddresses + 1)),
    young: z
      .array(z.strictObject({ address, ageSeconds: z.int().check(z.gte(0)) }))
      .check(z.maxLength(maxRiskAddresses)),
    misnamed: z.optional(z.array(address).check(z.maxLength(maxRiskAddresses))),
  }),
} as const satisfies Route
