import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** The operation types for which views have labels. */
export const operationTypes = [
  'approve',
  'balance',
  'bought',
  'borrow',
  'burn',
  'cancel',
  'claim',
  'deploy',
  'deposit',
  'execute',
  'mint',
  'receive',
  'repay',
  'revoke',
  'send',
  'sell',
  'stake',
  'trade',
  'unstake',
  'withdraw',
] as const
export type OperationType = (typeof operationTypes)[number]

const text = z.nullable(z.string())
const media = z.nullable(z.object({ url: z.string(), content_type: z.optional(text) }))

/**
 * One asset that moved in a transaction, seen from the account. `quantity.numeric` is an exact
 * decimal string in whole tokens. Either `fungible_info` or `nft_info` is set. `is_listed`: the
 * symbol is from a token list, not from the contract.
 */
export const historyTransfer = z.object({
  fungible_info: z.nullish(
    z.object({
      name: text,
      symbol: text,
      icon: z.nullish(z.object({ url: text })),
      is_listed: z.optional(z.boolean()),
    }),
  ),
  nft_info: z.nullish(
    z.object({
      name: text,
      content: z.nullish(z.object({ preview: z.nullish(media), detail: z.nullish(media) })),
      flags: z.object({ is_spam: z.boolean() }),
    }),
  ),
  direction: z.enum(['in', 'out', 'self']),
  quantity: z.object({ numeric: z.string() }),
  value: z.nullish(z.number()),
  price: z.nullish(z.number()),
  /**
   * CAIP-10 of the token's contract, absent for the native currency; for an NFT also its id in
   * decimal.
   */
  address: z.optional(z.string()),
  tokenId: z.optional(z.string()),
})
export type HistoryTransfer = z.infer<typeof historyTransfer>

/** An amount of an ERC-20, also through Permit2; an NFT; or all NFTs of a contract. */
export const allowanceKind = z.enum(['erc20', 'permit2', 'erc721', 'operator'])

/**
 * The allowance that a transaction of type `approve` or `revoke` changed, with the fields of an
 * `allowance`. `amount` is null also if it is unknown.
 */
const historyApproval = z.object({
  kind: allowanceKind,
  token: z.object({ address: z.string(), name: text, symbol: text }),
  tokenId: text,
  spender: z.string(),
  amount: text,
  isUnlimited: z.boolean(),
})
export type HistoryApproval = z.infer<typeof historyApproval>

/** Older servers return null if nothing moved, which makes older clients show no row at all. */
const transferList = z.pipe(
  z.nullish(z.array(historyTransfer)),
  z.transform((transfers) => transfers ?? []),
)

/** The states of purchases (`onramp`), in the form that older clients expect. */
const purchaseStatuses = {
  ONRAMP_TRANSACTION_STATUS_SUCCESS: 'confirmed',
  ONRAMP_TRANSACTION_STATUS_FAILED: 'failed',
  ONRAMP_TRANSACTION_STATUS_IN_PROGRESS: 'pending',
} as const
const status = z.union([
  z.enum(['confirmed', 'failed', 'pending']),
  z.pipe(
    z.enum(Object.keys(purchaseStatuses) as (keyof typeof purchaseStatuses)[]),
    z.transform((name) => purchaseStatuses[name]),
  ),
])

/**
 * One transaction of an account. `id` is unique; `transfers` is always an array. An entry of type
 * `balance` has no known transaction: the native balance changed by the amounts in `transfers`, in
 * the blocks after `blocks.after` up to `blocks.to`. `hash` and the addresses are empty. `block` is
 * the number of the block, on Solana the slot. `fee` is the network fee, an exact decimal string in
 * whole native currency, with the address that paid it. Both are absent if unknown. `sponsored`:
 * someone else paid for what the account did.
 */
export const historyTransaction = z.object({
  id: z.string(),
  metadata: z.object({
    operationType: z.string(),
    hash: z.string(),
    minedAt: z.string(),
    sentFrom: z.string(),
    sentTo: z.string(),
    status,
    nonce: z.number(),
    application: z.nullish(z.object({ name: text, iconUrl: text })),
    chain: text,
    blocks: z.optional(z.object({ after: z.number(), to: z.number() })),
    block: z.optional(z.number()),
    fee: z.optional(z.object({ numeric: z.string(), payer: z.string() })),
    sponsored: z.optional(z.boolean()),
    approval: z.optional(historyApproval),
  }),
  transfers: transferList,
})
export type HistoryTransaction = z.infer<typeof historyTransaction>

/**
 * How much of the account's activity on the requested networks is indexed. `progress`: 0 to 1.
 * `complete`: everything up to the newest block is indexed. `since`: the start of the covered
 * period, ISO 8601, null if everything is covered. `unread`: the number of blocks in which
 * something about the account could not be read yet, and when the latest of them was mined. Absent
 * if there are no such blocks.
 */
export const historySync = z.object({
  complete: z.boolean(),
  progress: z.number(),
  since: text,
  unread: z.optional(z.object({ blocks: z.number(), latest: z.string() })),
})
export type HistorySync = z.infer<typeof historySync>

/**
 * `GET /v1/account/{address}/history`: newest first, up to 50; `next` continues the list and stays
 * valid while new ones arrive. With `onramp`, a provider's id or `all`, it returns the account's
 * purchases instead.
 */
export const accountHistoryRoute = {
  method: 'GET',
  path: '/v1/account/:address/history',
  query: z.object({
    projectId: z.string(),
    chainId: z.optional(z.string()),
    cursor: z.optional(z.string()),
    onramp: z.optional(z.string()),
    currency: z._default(z.string(), 'usd'),
  }),
  result: z.object({
    data: z.array(historyTransaction),
    next: text,
    sync: z.optional(historySync),
  }),
} as const satisfies Route

/** Path of the WebSocket that reports an account's activity: `?projectId=…&chainId=…&address=…`. */
export const activityEventsPath = '/v1/account-events'

/**
 * A message of that socket, as JSON: something was added or reverted, so the client should refetch;
 * or the progress of the index.
 */
export const activityEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('changed'), chainId: z.string() }),
  z.object({ type: z.literal('sync'), chainId: z.string(), sync: historySync }),
])
export type ActivityEvent = z.infer<typeof activityEvent>
