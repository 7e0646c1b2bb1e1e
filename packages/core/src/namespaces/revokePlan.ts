import type { Allowance, ChainId } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { BatchCall, BatchStatus, IsFeePaid } from './batchCalls.ts'
import type { Request } from './request.ts'
import type { TransactionOutcome } from './transactionOutcome.ts'
import type { Plan } from './transferPlan.ts'

/** Allowances to revoke: in one batch, or by one transaction after another. */
export type RevokePlan = Pick<Plan, 'account' | 'chainId' | 'fee'> & {
  /** The number of transactions that the wallet has to approve. */
  count: number
  /** Whether the wallet sends all calls as one atomic batch. */
  isBatch: boolean
  /**
   * Sends the revocations and waits until they are on chain; `onStep` reports which transaction is
   * next. Throws ABORTED, the wallet's errors, and REVOKE_REFUSED if a contract did not revoke its
   * allowance. Steps completed before an error stay in effect.
   */
  execute(signal: AbortSignal, onStep?: (index: number) => void): Promise<void>
}

export type RevokeParameters = {
  wallet: Request
  node: Request
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isFeePaid?: IsFeePaid
  allowances: readonly Pick<Allowance, 'kind' | 'token' | 'tokenId' | 'spender'>[]
  /** Sends calls as one and waits until the batch has ended; absent if the wallet cannot. */
  sendBatch:
    | ((calls: readonly BatchCall[], signal: AbortSignal) => Promise<BatchStatus>)
    | undefined
  waitForTransaction: (parameters: {
    hash: string
    chainId: ChainId
    signal: AbortSignal
  }) => Promise<TransactionOutcome>
}

/** The revocation of allowances, in namespaces that support it. */
export type RevokeActions = {
  /**
   * Checks the allowances and the fee of revoking them. Throws INVALID_PARAMS, INSUFFICIENT_GAS,
   * REVOKE_REFUSED and the node's errors.
   */
  plan(question: RevokeParameters): Promise<RevokePlan>
}
