import type { ChainId, HistorySync } from '@latchkey/wire'
import type { Hex } from '../evm/hex.ts'

/** Money and tokens that moved in a transaction. `amount` in the smallest unit; of a native one `contract` is absent. */
export type ActivityTransfer = {
  readonly standard: 'native' | 'erc20' | 'erc721' | 'erc1155'
  readonly contract: Hex | undefined
  readonly from: Hex
  readonly to: Hex
  readonly tokenId: bigint | undefined
  readonly amount: bigint
}

/** One transaction that concerns an account: bare facts, as the chain has them. Addresses and hashes are lower-case. */
export type ActivityRow = {
  readonly chainId: ChainId
  readonly hash: Hex
  readonly blockNumber: bigint
  /** Place in the block. */
  readonly index: number
  readonly minedAtMs: number
  readonly from: Hex
  /** Absent where a contract was created. */
  readonly to: Hex | undefined
  readonly created: Hex | undefined
  readonly nonce: number
  readonly valueWei: bigint
  readonly feeWei: bigint | undefined
  /** The first four bytes of the input; absent for a bare transfer. */
  readonly selector: Hex | undefined
  readonly status: 'confirmed' | 'failed' | 'pending'
  /** Those of the account alone. */
  readonly transfers: readonly ActivityTransfer[]
}

/** A place between two rows of an account: after everything newer. Stays good while new rows arrive. */
export type ActivityPosition = {
  readonly minedAtMs: number
  readonly chainId: ChainId
  readonly blockNumber: bigint
  readonly index: number
}

export type ActivityPage = {
  /** Newest first. */
  readonly rows: readonly ActivityRow[]
  /** Where the next page begins; undefined at the end. */
  readonly next: ActivityPosition | undefined
  /** The account is still looked up below the last row: more may come after it, and `next` is there. */
  readonly isIncomplete: boolean
  /** No block is missing above the first row. */
  readonly hasNewest: boolean
}

/** An NFT that the account holds by its transfers, or may hold from before the first one read. */
export type HeldNft = {
  readonly contract: Hex
  readonly standard: 'erc721' | 'erc1155'
  readonly tokenId: bigint
  /** What came in less what went out; below zero where some were there before. */
  readonly amount: bigint
  /** When it last moved; the list is in this order, newest first, then by contract and id. */
  readonly movedAtMs: number
  /** The account itself sent the transaction that brought it. */
  readonly ownAct?: boolean
}

export type Account = { readonly chainId: ChainId; readonly address: Hex }

/** What the server knows about accounts from the chains alone. Throws RPC_UNAVAILABLE if a chain is needed and does not answer. */
export type Activity = {
  /** Asks that an account be followed from now on and looked up back to the beginning; cheap when it is already. */
  follow(account: Account): Promise<void>
  /** A page of an account's transactions on some chains together. */
  page(parameters: {
    readonly address: Hex
    readonly chainIds: readonly ChainId[]
    readonly after?: ActivityPosition | undefined
    readonly limit: number
  }): Promise<ActivityPage>
  sync(account: Account): Promise<HistorySync>
  /** Contracts of the ERC-20 tokens that the account ever got, at most `limit`, the latest first. */
  readTokens(account: Account, limit: number): Promise<readonly Hex[]>
  /** NFTs held and such as may be, at most `limit` from `offset`. */
  readNfts(
    account: Account,
    range: { readonly offset: number; readonly limit: number },
  ): Promise<readonly HeldNft[]>
  /**
   * Called on every process of the database when rows of an account change or more of it is known. While
   * anyone listens, the account is followed closely. A `quiet` listener does not cause the account to be followed.
   */
  listen(
    account: Account,
    listener: (event: { readonly type: 'changed' | 'sync' }) => void,
    quiet?: 'quiet',
  ): () => void
  /** Resolves when what runs has stopped. */
  stop(): Promise<void>
}

/** The native currency that a transaction itself moved to or from an account, as a list of one or none. */
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
