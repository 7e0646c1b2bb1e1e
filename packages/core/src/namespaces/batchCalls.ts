import type { ChainId } from '@latchkey/wire'
import type { Request } from './request.ts'

/** One call of a batch (EIP-5792). `value` is in the smallest unit. */
export type BatchCall = { to: string; data?: string; value?: bigint }

/** `partial`: some of the transactions were reverted. */
export type BatchStatus = 'pending' | 'confirmed' | 'failed' | 'partial'

/**
 * What became of a batch. `chainId`: where the wallet says it. `hashes`: its transactions, as far
 * as they are mined.
 */
export type Batch = {
  status: BatchStatus
  isAtomic: boolean
  hashes: readonly string[]
  chainId?: ChainId
}

/**
 * `ready`: the wallet will ask its user for it first. `isSponsored`: the wallet's operator pays
 * fees of what the account sends on the network, within limits that only the wallet knows.
 */
export type BatchCapabilities = {
  atomic: 'supported' | 'ready' | 'unsupported'
  isSponsored: boolean
}

/** Calls that a paymaster is asked about. */
export type PaidCalls = { calls?: readonly BatchCall[] | undefined; gas?: bigint | undefined }

/** Whether somebody else would pay the fee of calls that are sent as one. Never throws. */
export type IsFeePaid = (paid: PaidCalls) => Promise<boolean>

/** A pending transaction that this page has sent, and that its wallet can replace. */
export type PendingTransaction = {
  hash: string
  /** Hashes of the transactions that it has replaced. */
  earlier: readonly string[]
  /** Whether it cancels what was sent. */
  isCancelled: boolean
  canBeReplaced: boolean
  /** The batch that it belongs to, if the batch is sent as transactions one after another. */
  batchId?: string | undefined
}

/**
 * The replacement of a pending transaction: the call again with a higher fee, or an empty
 * transaction.
 */
export type ReplaceAction = 'speedUp' | 'cancel'

type CallsQuestion = {
  wallet: Request
  address: string
  chainId: ChainId
  approvedMethods: readonly string[] | undefined
}

/**
 * Actions for batches of calls and for replacing transactions; absent if the namespace has none.
 */
export type CallsActions = {
  send(
    parameters: CallsQuestion & { calls: readonly BatchCall[]; isAtomic?: boolean; id?: string },
  ): Promise<string>
  getStatus(parameters: CallsQuestion & { id: string }): Promise<Batch>
  /** Has the wallet show a batch. Throws UNSUPPORTED_METHOD and its like where it shows none. */
  show(parameters: CallsQuestion & { id: string }): Promise<void>
  getCapabilities(parameters: CallsQuestion): Promise<BatchCapabilities>
  /** Reads the pending transactions of this page from the embedded wallet. */
  getPending(parameters: Pick<CallsQuestion, 'wallet'>): Promise<readonly PendingTransaction[]>
  /**
   * Has the embedded wallet replace a pending transaction of this page; resolves to the new hash.
   */
  replace(
    parameters: Pick<CallsQuestion, 'wallet'> & { hash: string; action: ReplaceAction },
  ): Promise<string>
  /**
   * The parameters with which a paymaster is asked whether it would pay for calls of the account
   * that are sent as one (ERC-7677). No calls if they are not known, which who pays for some
   * contracts alone refuses. `gas`: what they may use, that of a payment unless set.
   */
  draftSponsored(
    parameters: { node: Request; address: string; chainId: ChainId } & PaidCalls,
  ): Promise<readonly unknown[]>
}
