import type { Generated } from 'kysely'

/**
 * A followed chain: which process follows it and until when, how far it is, and how often it was
 * rolled back.
 */
type ActivityChainTable = {
  chain_id: string
  holder: string | null
  held_until: Generated<Date>
  /** When the chain's newest block was last seen to be indexed. */
  seen_at: Generated<Date>
  generation: Generated<bigint>
  genesis: Buffer | null
  head: bigint | null
  head_ms: bigint | null
}

type ActivityBlockTable = { chain_id: string; number: bigint; hash: Buffer; mined_ms: bigint }

/**
 * `seen_to`: every block up to here is in the rows or in `todo`. For a live account, that is true
 * up to the chain's head, and the blocks in `todo` above `seen_to` are a gap. `unread`: blocks that
 * are no longer in `todo` but could not be read, to be tried again. `weighed`: blocks in which the
 * native balance was compared with the rows; `balance` is the balance at the end of
 * `balance_block`.
 */
type ActivityAccountTable = {
  id: Generated<number>
  chain_id: string
  address: Buffer
  asked_at: Date
  watched_at: Generated<Date>
  live: Generated<boolean>
  first_block: bigint | null
  seen_to: bigint | null
  todo: Generated<string>
  since_ms: bigint | null
  bottom_ms: bigint | null
  unread: Generated<string>
  unread_ms: bigint | null
  unread_at: Date | null
  unread_tries: Generated<number>
  standing: Generated<number>
  stood_at: Generated<Date>
  asked_by: number | null
  asked_near: number | null
  weighed: Generated<string>
  balance: string | null
  balance_block: bigint | null
}

export type ActivityRowTable = {
  account_id: number
  mined_ms: bigint
  block: bigint
  index: number
  hash: Buffer
  sender: Buffer
  recipient: Buffer | null
  created: Buffer | null
  nonce: bigint
  value: string
  fee: string | null
  selector: Buffer | null
  failed: boolean
  /** Set if no transaction is known: the native balance changed after this block, up to `block`. */
  since_block: bigint | null
  /** Someone else paid for the account's user operation. */
  sponsored: Generated<boolean>
}

/**
 * `standard` is 20, 721 or 1155; 0 for native currency in a user operation, with an empty
 * `contract`.
 */
type ActivityTransferTable = {
  account_id: number
  block: bigint
  index: number
  position: number
  standard: number
  contract: Buffer
  sender: Buffer
  recipient: Buffer
  token_id: string | null
  amount: string
  mined_ms: bigint
}

/** `kind` is a value of `approvalKinds`; `amount` is null if it was read before 0045. */
type ActivityApprovalTable = {
  account_id: number
  block: bigint
  index: number
  position: number
  kind: string
  contract: Buffer
  spender: Buffer
  token_id: string | null
  mined_ms: bigint
  amount: string | null
}

/**
 * The tables of the activity (0004_activity, 0017_approvals, 0033_unread_blocks, 0036_standing,
 * 0042_balance_changes, 0045_approval_amounts).
 */
export type ActivityTables = {
  activity_chains: ActivityChainTable
  activity_blocks: ActivityBlockTable
  activity_accounts: ActivityAccountTable
  activity_rows: ActivityRowTable
  activity_transfers: ActivityTransferTable
  activity_approvals: ActivityApprovalTable
}
