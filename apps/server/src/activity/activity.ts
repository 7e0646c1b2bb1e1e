import type { ChainId, HistorySync } from '@latchkey/wire'
import type { ApprovalKind } from '../evm/approvals.ts'
import type { Hex } from '../evm/hex.ts'

/**
 * A transfer of native currency or a token in a transaction. `amount` in the smallest unit; for
 * native currency, `contract` is absent.
 */
export type ActivityTransfer = {
  readonly standard: 'native' | 'erc20' | 'erc721' | 'erc1155'
  readonly contract: Hex | undefined
  readonly from: Hex
  readonly to: Hex
  readonly tokenId: bigint | undefined
  readonly amount: bigint
}

/**
 * A log in which an owner set or revoked a spender's allowance. Only the chain's state shows the
 * rest of the allowance.
 */
export type ActivityApproval = {
  /** In the smallest unit, 1 for NFTs; 0 if it revokes the allowance. */
  readonly amount: bigint
  readonly kind: ApprovalKind
  /** The token's contract, also if Permit2 stores the allowance. */
  readonly contract: Hex
  readonly owner: Hex
  readonly spender: Hex
  /** The id of an ERC-721 token, if only this token is allowed. */
  readonly tokenId: bigint | undefined
}

/** An allowance that an account gave a spender at some time, and when it last changed. */
export type GrantedApproval = Omit<ActivityApproval, 'owner' | 'amount'> & {
  readonly changedAtMs: number
  /** The account itself sent a transaction that changed it. */
  readonly ownAct: boolean
}

/** A position between two approvals of an account: after the approval with these fields. */
export type ApprovalPosition = Omit<GrantedApproval, 'ownAct'>

/** An approval that the account gave or revoked in a transaction. */
export type RowApproval = Omit<ActivityApproval, 'owner' | 'amount'> & {
  readonly amount: bigint | undefined
}

/**
 * One transaction that concerns an account: only facts from the chain. Addresses and hashes are
 * lower-case.
 */
export type ActivityRow = {
  readonly chainId: ChainId
  readonly hash: Hex
  readonly blockNumber: bigint
  /** The index in the block. */
  readonly index: number
  readonly minedAtMs: number
  readonly from: Hex
  /** Absent if a contract was created. */
  readonly to: Hex | undefined
  readonly created: Hex | undefined
  readonly nonce: number
  readonly valueWei: bigint
  readonly feeWei: bigint | undefined
  /** The first four bytes of the input; absent for a bare transfer. */
  readonly selector: Hex | undefined
  readonly status: 'confirmed' | 'failed' | 'pending'
  /** The transfers of the account only. */
  readonly transfers: readonly ActivityTransfer[]
  /** The account's own approvals; without an amount if that was not read. */
  readonly approvals?: readonly RowApproval[] | undefined
  /** Someone else paid for the account's user operation. */
  readonly sponsored?: true | undefined
  /**
   * Set if no transaction is known, only that the native balance changed in the blocks after this
   * one, up to `blockNumber`. `hash` and `from` are then `0x`, and `transfers` contains the change.
   */
  readonly sinceBlock?: bigint | undefined
}

/**
 * A position between two rows of an account: after everything newer. It stays valid while new rows
 * arrive.
 */
export type ActivityPosition = {
  readonly minedAtMs: number
  readonly chainId: ChainId
  readonly blockNumber: bigint
  readonly index: number
}

export type ActivityPage = {
  /** Newest first. */
  readonly rows: readonly ActivityRow[]
  /** The start of the next page; undefined at the end. */
  readonly next: ActivityPosition | undefined
  /** Blocks below the last row are still being searched: more may follow, and `next` is set. */
  readonly isIncomplete: boolean
  /** No block is missing above the first row. */
  readonly hasNewest: boolean
  /** The page ends before it is full, because it took too many reads. */
  readonly isCut?: boolean
  /** The number of incompletely read blocks, and when the latest of them was mined. */
  readonly unread?: { readonly blocks: number; readonly latestMs: number } | undefined
}

/**
 * An NFT that the account holds according to its transfers, or may hold from before the first
 * transfer that was read.
 */
export type HeldNft = {
  readonly contract: Hex
  readonly standard: 'erc721' | 'erc1155'
  readonly tokenId: bigint
  /** Received minus sent; negative if the account held some before the first known transfer. */
  readonly amount: bigint
  /** When it last moved; the list is in this order, newest first, then by contract and id. */
  readonly movedAtMs: number
  /** The account itself sent the transaction that brought it. */
  readonly ownAct?: boolean
}

/**
 * By how much an account's native currency, or a token if there is a `contract`, grew during a step
 * of time; less than 0 if it shrank.
 */
export type AssetChange = {
  readonly contract: Hex | undefined
  /** Counted from 0. */
  readonly step: number
  readonly change: bigint
}

export type FollowedAccount = { readonly chainId: ChainId; readonly address: Hex }

/**
 * The client that requests an account: hashes of its address and its network. They are so short
 * that many clients share each hash, so the stored data of an account does not reveal who requested
 * it.
 */
export type Asker = { readonly address: number; readonly network: number }

/**
 * The activity of accounts, indexed from the chains alone. Throws RPC_UNAVAILABLE if a chain is
 * needed and does not answer.
 */
export type Activity = {
  /**
   * Follows an account from now on and searches its past. Cheap if the account is already followed.
   * If there are too many accounts, each client's accounts are kept within its share. Without
   * `asker` the request is the server's own.
   */
  follow(account: FollowedAccount, asker?: Asker): Promise<void>
  /** A page of an account's transactions on some chains together. */
  page(parameters: {
    readonly address: Hex
    readonly chainIds: readonly ChainId[]
    readonly after?: ActivityPosition | undefined
    readonly limit: number
  }): Promise<ActivityPage>
  sync(account: FollowedAccount): Promise<HistorySync>
  /**
   * Contracts of the ERC-20 tokens that the account ever received, at most `limit`, the latest
   * first.
   */
  readTokens(account: FollowedAccount, limit: number): Promise<readonly Hex[]>
  /**
   * Changes by the account's transactions, fees and ERC-20 transfers since a time, in steps.
   * Includes native currency that contracts sent or received, as far as traces or the balance show
   * it.
   */
  readChanges(
    account: FollowedAccount,
    range: { readonly sinceMs: number; readonly stepMs: number },
  ): Promise<readonly AssetChange[]>
  /** NFTs that the account holds or may hold, at most `limit` from `offset`. */
  readNfts(
    account: FollowedAccount,
    range: { readonly offset: number; readonly limit: number },
  ): Promise<readonly HeldNft[]>
  /**
   * All allowances that the account ever gave, each spender and token once, the last changed first,
   * at most `limit`.
   */
  readApprovals(
    account: FollowedAccount,
    range: { readonly after?: ApprovalPosition | undefined; readonly limit: number },
  ): Promise<readonly GrantedApproval[]>
  /**
   * Calls the listener, in every process of the database, when rows of an account change or more of
   * its past is indexed. While anyone listens, the account is followed closely. A `quiet` listener
   * does not cause the account to be followed; other listeners can have an `asker`.
   */
  listen(
    account: FollowedAccount,
    listener: (event: { readonly type: 'changed' | 'sync' }) => void,
    by?: 'quiet' | Asker,
  ): () => void
  /** Resolves when all work has stopped. */
  stop(): Promise<void>
}

/**
 * The native currency that a transaction itself transferred to or from an account: a list with at
 * most one entry.
 */
export function nativeTransfers(
  { from, to, created, valueWei }: Pick<ActivityRow, 'from' | 'to' | 'created' | 'valueWei'>,
  address: Hex,
): ActivityTransfer[] {
  const receiver = to ?? created
  if (valueWei === 0n || receiver === undefined) return []
  if (from !== address && receiver !== address) return []
  const money = { standard: 'native', contract: undefined, tokenId: undefined } as const
  return [{ ...money, from, to: receiver, amount: valueWei }]
}
