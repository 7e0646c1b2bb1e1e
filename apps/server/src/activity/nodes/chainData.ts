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
 * A transaction that concerns a requested account, with all matching token transfers and approvals.
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
  /** Known only for transactions from or to a requested account. */
  readonly fee: bigint | undefined
  readonly selector: Hex | undefined
  readonly failed: boolean
  readonly transfers: readonly ActivityTransfer[]
  readonly approvals: readonly ActivityApproval[]
  /** The accounts for whose user operations someone else paid. */
  readonly sponsored: readonly Hex[]
}

/** The data of consecutive blocks about some accounts. */
export type BlockRange = {
  readonly blocks: readonly ChainBlock[]
  readonly transactions: readonly ChainTransaction[]
  /** The number of transactions in the blocks. */
  readonly transactionCount: number
  /** The parts of the blocks that could not be read. */
  readonly unread: ReadonlyUnreadBlocks
}

/** Blocks with unread data of an account, by the account's address. */
export type UnreadBlocks = Map<Hex, Set<number>>
export type ReadonlyUnreadBlocks = ReadonlyMap<Hex, ReadonlySet<number>>

/** Records that some data of an account in a block could not be read. */
export function addUnread(unread: UnreadBlocks, address: Hex, block: number): void {
  const blocks = unread.get(address)
  if (blocks) blocks.add(block)
  else unread.set(address, new Set([block]))
}
