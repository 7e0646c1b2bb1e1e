import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** Maximum number of calls in one simulation; they run one after another. */
export const maxSimulatedCalls = 100
/** Maximum number of assets, and of allowances, in one outcome. */
export const maxSimulatedChanges = 50

const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i))
const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const decimal = z.string().check(z.regex(/^-?[0-9]{1,100}$/))

/**
 * An asset in smallest units: the native currency without `token`, an item of a collection with
 * `id`. `amount`: what the account receives, negative for what it sends.
 */
const change = z.strictObject({
  token: z.nullable(address),
  id: z.nullable(decimal),
  amount: decimal,
})
export type SimulatedChange = z.infer<typeof change>

/**
 * An allowance after the calls: the spender may take `amount` units, the item `id`, or without both
 * every item of the collection. `via`: the contract that stores the allowance, if it is not the
 * token.
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
 * Effects of calls. `isComplete`: whether all changes are listed. A node that can only execute a
 * call cannot list everything, so there may be more. `gasUsed`: for each call that ran, if the node
 * reports it.
 */
const effects = {
  isComplete: z.boolean(),
  changes: z.array(change).check(z.maxLength(maxSimulatedChanges)),
  allowances: z.array(allowance).check(z.maxLength(maxSimulatedChanges)),
  gasUsed: z.optional(z.array(quantity).check(z.maxLength(maxSimulatedCalls))),
}

/**
 * One node's result. A result with an effect that this page does not support is discarded, because
 * the page would not show it. `ran`: the effects of the calls before the failed call.
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
 * The price of a whole unit in dollars. Only for display: it comes from the operator's sources, so
 * no warning may depend on it.
 */
export const dollarPrice = z.number().check(z.positive(), z.lte(1e12))

/** A price of a token, of the native currency without `token`. */
const price = z.object({ token: z.nullable(address), usd: dollarPrice })
export type SimulatedPrice = z.infer<typeof price>

/**
 * The gas limit of calls without their own limit, and the signed fee fields. Undefined if another
 * party pays the fee.
 */
const fees = z.strictObject({
  gas: quantity,
  gasPrice: z.optional(quantity),
  maxFeePerGas: z.optional(quantity),
  maxPriorityFeePerGas: z.optional(quantity),
})

/**
 * The JSON-RPC error code if two nodes of a network return different results to a read for an
 * approval.
 */
export const nodesDisagreeCode = -32071

/**
 * Runs calls of an EVM account without sending them, one after another, for the secure frame only
 * and without proof. Uses up to two nodes of the network (`asked`); `outcomes` has an entry for
 * each node that responded in time.
 */
export const simulateCallsRoute = {
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
     * The contract to which the account delegates with these calls (EIP-7702): either of our two
     * pinned contracts. Other code cannot be simulated as the account's code.
     */
    delegation: z.optional(z.literal(['ours', 'permissions'])),
  }),
  result: z.object({
    asked: z.number(),
    outcomes: z.array(outcome).check(z.maxLength(2)),
    /** Prices that do not parse are dropped. */
    prices: z.catch(z.optional(z.array(price).check(z.maxLength(maxSimulatedChanges))), undefined),
  }),
} as const satisfies Route
