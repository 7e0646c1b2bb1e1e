import type { ChainId } from '@latchkey/wire'
import type { Request } from './request.ts'

/** One call of a batch (EIP-5792). `value` is in the smallest unit. */
export type BatchCall = { to: string; data?: string; value?: bigint }

/** `partial`: some of the transactions were reverted. */
export type BatchStatus = 'pending' | 'confirmed' | 'failed' | 'partial'

/**
 * The outcome of a batch. `chainId`: its network, if the wallet reports it. `hashes`: its mined
 * transactions.
 */
export type Batch = {
  status: BatchStatus
  isAtomic: boolean
  hashes: readonly string[]
  chainId?: ChainId
}

/**
 * `ready`: the wallet first prompts its user to enable batches. `isSponsored`: the wallet's
 * operator pays network fees of this account, within limits that only the wallet can check.
 */
export type BatchCapabilities = {
  atomic: 'supported' | 'ready' | 'unsupported'
  isSponsored: boolean
}

/** The calls in a request to a paymaster. */
export type PaidCalls = { calls?: readonly BatchCall[] | undefined; gas?: bigint | undefined }

/** Whether a sponsor would pay the fee of calls that are sent as one batch. Never throws. */
export type IsFeePaid = (paid: PaidCalls) => Promise<boolean>

/**
 * A pending transaction or user operation that this page has sent, and that its wallet can replace.
 */
export type PendingTransaction = {
  hash: string
  /** Hashes of the versions that this version has replaced, oldest first. */
  earlier: readonly string[]
  /** Whether this transaction cancels the original one. */
  isCancelled: boolean
  canBeReplaced: boolean
  /** Whether it is a user operation (ERC-4337): nodes have no transaction with its hash. */
  isOperation?: boolean | undefined
  /** The batch that it belongs to. */
  batchId?: string | undefined
}

/**
 * The replacement of a pending transaction: the same call with a higher fee, or an empty
 * transaction.
 */
export type ReplaceAction = 'speedUp' | 'cancel'

type CallsParameters = {
  wallet: Request
  address: string
  chainId: ChainId
  approvedMethods: readonly string[] | undefined
}

/**
 * Actions for batches of calls and for replacing transactions; absent if the namespace does not
 * have them.
 */
export type CallsActions = {
  send(
    parameters: CallsParameters & { calls: readonly BatchCall[]; isAtomic?: boolean; id?: string },
  ): Promise<string>
  getStatus(parameters: CallsParameters & { id: string }): Promise<Batch>
  /**
   * Has the wallet show a batch. Throws UNSUPPORTED_METHOD and similar errors if the wallet cannot.
   */
  show(parameters: CallsParameters & { id: string }): Promise<void>
  getCapabilities(parameters: CallsParameters): Promise<BatchCapabilities>
  /** Reads the pending transactions of this page from the embedded wallet. */
  getPending(parameters: Pick<CallsParameters, 'wallet'>): Promise<readonly PendingTransaction[]>
  /**
   * Has the embedded wallet replace a pending transaction of this page; resolves to the new hash.
   */
  replace(
    parameters: Pick<CallsParameters, 'wallet'> & { hash: string; action: ReplaceAction },
  ): Promise<string>
  /**
   * The parameters that ask a paymaster whether it would pay for calls that the account sends as
   * one (ERC-7677). Omit `calls` if unknown; paymasters that only sponsor certain contracts then
   * refuse. `gas`: the limit for the calls, by default the gas of a payment.
   */
  draftSponsored(
    parameters: { node: Request; address: string; chainId: ChainId } & PaidCalls,
  ): Promise<readonly unknown[]>
}
