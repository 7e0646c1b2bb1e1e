import type { Hex } from '../../evm/hex.ts'
import type { ActivityApproval, ActivityTransfer } from '../activity.ts'

/** The parts of a block that the indexer needs. */
export type ChainBlock = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly minedMs: number
}

/** An event of a contract; addresses and hashes are lower-case. */
export type ChainLog = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockHash: Hex
  readonly blockNumber: number
  readonly transactionIndex: number
  readonly logIndex: number
}

/**
 * A transaction that concerns one of the accounts asked for, with all token transfers and approvals
 * that were looked for.
 */
export type ChainTransaction = {
  readonly block: ChainBlock
  readonly index: number
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | undefined
  readonly created: Hex | undefined
  readonly nonce: number
  readonly value: bigint
  /** Known of those that an account sent or got. */
  readonly fee: bigint | undefined
  readonly selector: Hex | undefined
  readonly failed: boolean
  readonly transfers: readonly ActivityTransfer[]
  readonly approvals: readonly ActivityApproval[]
}

/** What consecutive blocks contain about some accounts. */
export type BlockRange = {
  readonly blocks: readonly ChainBlock[]
  readonly transactions: readonly ChainTransaction[]
  /** The number of transactions in the blocks. */
  readonly transactionCount: number
  /** What of the blocks could not be read. */
  readonly unread: ReadonlyUnreadBlocks
}

/**
 * Blocks of which something that concerns an account could not be read, by the account's address.
 */
export type UnreadBlocks = Map<Hex, Set<number>>
export type ReadonlyUnreadBlocks = ReadonlyMap<Hex, ReadonlySet<number>>

/** Notes that something that concerns an account in a block could not be read. */
export function addUnread(unread: UnreadBlocks, address: Hex, block: number): void {
  const blocks = unread.get(address)
  if (blocks) blocks.add(block)
  else unread.set(address, new Set([block]))
}
