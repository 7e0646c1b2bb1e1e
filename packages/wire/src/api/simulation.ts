import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** Most calls that one simulation runs, one after another. */
export const maxSimulatedCalls = 100
/** Most assets, and most allowances, that one outcome names. */
export const maxSimulatedChanges = 50

const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i))
const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const decimal = z.string().check(z.regex(/^-?[0-9]{1,100}$/))

/**
 * An asset in smallest units: the native currency without `token`, an item of a collection with
 * `id`. `amount`: what the account gets, negative for what leaves it.
 */
const change = z.strictObject({
  token: z.nullable(address),
  id: z.nullable(decimal),
  amount: decimal,
})
export type SimulatedChange = z.infer<typeof change>

/**
 * What somebody may take from the account afterwards: `amount` units, the item `id`, or with
 * neither every item of the collection. `via`: the contract that stores the allowance, where it is
 * not the token.
 */
const allowance = z.strictObject({
  token: address,
  spender: address,
  amount: z.nullable(decimal),
  id: z.nullable(decimal),
  via: z.nullable(address),
})
export type SimulatedAllowance = z.infer<typeof allowance>

/**
 * What calls do. `isComplete`: whether all that changes is named; a node that can only run a call
 * does not know, and there may be more than is listed. `gasUsed`: of each call that ran, where the
 * node tells.
 */
const effects = {
  isComplete: z.boolean(),
  changes: z.array(change).check(z.maxLength(maxSimulatedChanges)),
  allowances: z.array(allowance).check(z.maxLength(maxSimulatedChanges)),
  gasUsed: z.optional(z.array(quantity).check(z.maxLength(maxSimulatedCalls))),
}

/**
 * What one node expects. One with an effect that this page does not know is no answer: the page
 * would not show it. `ran`: what the calls before the one that failed do.
 */
const outcome = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('done'), ...effects }),
  z.strictObject({
    status: z.literal('failed'),
    reason: z.string().check(z.maxLength(300)),
    ran: z.optional(z.strictObject(effects)),
  }),
])
export type SimulatedOutcome = z.infer<typeof outcome>

/**
 * What a whole unit costs in dollars. For people to read only: it comes from the operator's
 * sources, so nothing that warns may depend on it.
 */
export const dollarPrice = z.number().check(z.positive(), z.lte(1e12))

/** A price of a token, of the native currency without `token`. */
const price = z.object({ token: z.nullable(address), usd: dollarPrice })
export type SimulatedPrice = z.infer<typeof price>

/**
 * The gas limit, of each call that has none of its own, and the fee fields that are signed; without
 * them somebody else pays the fee.
 */
const fees = z.strictObject({
  gas: quantity,
  gasPrice: z.optional(quantity),
  maxFeePerGas: z.optional(quantity),
  maxPriorityFeePerGas: z.optional(quantity),
})

/** The JSON-RPC code of a read for an approval that two nodes of a network answer differently. */
export const nodesDisagreeCode = -32071

/**
 * Runs calls of an EVM account without sending them, one after another, for the secure frame alone
 * and without proof. Up to two nodes of the network are asked (`asked`); `outcomes` has an entry
 * for each that answered in time.
 */
export const simulateCalls = {
  method: 'POST',
  path: '/api/simulation',
  body: z.strictObject({
    chainId: z.string().check(z.regex(/^eip155:[1-9][0-9]{0,15}$/)),
    from: address,
    calls: z
      .array(
        z.strictObject({
          /** Absent if the call creates a contract. */
          to: z.optional(address),
          value: quantity,
          data: z.string().check(z.regex(/^0x([0-9a-f]{2})*$/i), z.maxLength(262_146)),
          gas: z.optional(quantity),
        }),
      )
      .check(z.minLength(1), z.maxLength(maxSimulatedCalls)),
    fees: z.optional(fees),
    /**
     * What the account begins to delegate to with these calls (EIP-7702): one of the two contracts
     * that we have pinned, so that nobody can have another's code tried out as the account's.
     */
    delegation: z.optional(z.literal(['ours', 'permissions'])),
  }),
  result: z.object({
    asked: z.number(),
    outcomes: z.array(outcome).check(z.maxLength(2)),
    /** Prices that do not parse are as if there were none. */
    prices: z.catch(z.optional(z.array(price).check(z.maxLength(maxSimulatedChanges))), undefined),
  }),
} as const satisfies Route
