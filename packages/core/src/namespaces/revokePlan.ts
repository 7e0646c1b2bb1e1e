import type { Allowance, ChainId } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { BatchCall, BatchStatus, IsFeePaid } from './batchCalls.ts'
import type { Request } from './request.ts'
import type { TransactionOutcome } from './transactionOutcome.ts'
import type { Plan } from './transferPlan.ts'

/** Allowances that are taken back: by one batch, or by one transaction after another. */
export type RevokePlan = Pick<Plan, 'account' | 'chainId' | 'fee'> & {
  /** How many transactions the wallet is asked for. */
  count: number
  /** Whether the wallet does all as one: all or nothing. */
  isBatch: boolean
  /**
   * Asks the wallet and waits until the network has done it; `onStep` tells which transaction is
   * next. Throws ABORTED, the wallet's errors, and REVOKE_REFUSED where a contract did not do it.
   * What was done before an error stays done.
   */
  execute(signal: AbortSignal, onStep?: (index: number) => void): Promise<void>
}

export type RevokeQuestion = {
  wallet: Request
  node: Request
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isFeePaid?: IsFeePaid
  allowances: readonly Pick<Allowance, 'kind' | 'token' | 'tokenId' | 'spender'>[]
  /** Sends calls as one and waits until that is over; absent where the wallet cannot. */
  sendBatch:
    | ((calls: readonly BatchCall[], signal: AbortSignal) => Promise<BatchStatus>)
    | undefined
  waitForTransaction: (parameters: {
    hash: string
    chainId: ChainId
    signal: AbortSignal
  }) => Promise<TransactionOutcome>
}

/** Taking allowances back, where a namespace has them. */
export type RevokeActions = {
  /**
   * Checks what is to be taken back and what it costs. Throws INVALID_PARAMS, INSUFFICIENT_GAS,
   * REVOKE_REFUSED and the node's errors.
   */
  plan(question: RevokeQuestion): Promise<RevokePlan>
}
