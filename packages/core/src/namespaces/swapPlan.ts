import type { ChainId } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { BatchCall, IsFeePaid } from './batchCalls.ts'
import type { Request } from './request.ts'
import type { TransactionOutcome } from './transactionOutcome.ts'
import type { Amount, Plan, SendToken } from './transferPlan.ts'

/** A token that is swapped; no address means the network's own currency. */
export type SwapTokenFacts = Omit<SendToken, 'nft'>

/**
 * A transaction that the server prepared: parsed, but untrusted. Amounts are in the smallest unit.
 */
export type PreparedSwap = {
  to: string
  data: string
  value: bigint
  expected: bigint
  /** Its gas limit. */
  gas: bigint
}

/** The steps that the wallet has to approve, in this order. */
type SwapStep =
  /**
   * An allowance of exactly this amount, or of any amount if `isUnlimited`; of 0 if the token first
   * requires an earlier allowance to be revoked.
   */
  | { kind: 'approve'; spender: string; amount: Amount; isUnlimited?: true }
  /** A signature that allows exactly this amount for minutes (EIP-2612); it costs nothing. */
  | { kind: 'permit'; spender: string; amount: Amount }
  | { kind: 'swap'; contract: string }

/**
 * How to allow the token. `signature`: exactly the amount, by a signature if token and wallet
 * support it, otherwise by a transaction. `exact`: exactly the amount, by a transaction.
 * `unlimited`: any amount until it is revoked.
 */
export type AllowanceChoice = 'signature' | 'exact' | 'unlimited'

/**
 * The reason of SWAP_REFUSED if a token or a wallet does not support a signature; `exact` still
 * works.
 */
export const signatureRefused = 'the token cannot be allowed by a signature'

/** The id of the swap transaction, or of its batch. */
export type SwapOutcome = { hash: string } | { callsId: string }

/** A verified swap; `outflows` has the amount that leaves. */
export type SwapPlan = Omit<Plan, 'steps' | 'execute'> & {
  steps: readonly SwapStep[]
  /** The output at current prices, and the minimum output: below it, the swap reverts. */
  expected: Amount
  minimum: Amount
  /** Whether the wallet sends all steps as one atomic batch. */
  isBatch: boolean
  /**
   * Requests the steps from the wallet, and has the server prepare the swap again before its step.
   * Throws ABORTED, the wallet's errors, SWAP_PRICE_MOVED if less than `minimum` would arrive or it
   * would cost more than `fee`, SWAP_REFUSED, SWAP_ALTERED.
   */
  execute(signal: AbortSignal, onStep?: (index: number) => void): Promise<SwapOutcome>
}

export type PlanSwapParameters = {
  wallet: Request
  node: Request
  now: () => number
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isFeePaid?: IsFeePaid
  from: SwapTokenFacts
  to: SwapTokenFacts
  /** In the smallest unit. */
  amount: bigint
  /** In percent. */
  slippage: number
  allowance: AllowanceChoice
  /** Whether the wallet can sign typed data. */
  canSign: boolean
  /** Has the server prepare the transaction. */
  prepare: () => Promise<PreparedSwap>
  /** Sends calls as one; absent if the wallet cannot. */
  sendBatch: ((calls: readonly BatchCall[]) => Promise<string>) | undefined
  waitForTransaction: (parameters: {
    hash: string
    chainId: ChainId
    signal: AbortSignal
  }) => Promise<TransactionOutcome>
}

/** Token swaps, in namespaces that support them. */
export type SwapActions = {
  /**
   * Checks a swap and prepares it. Throws SWAP_UNSUPPORTED, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS,
   * SWAP_ALTERED, SWAP_REFUSED, and the errors of `prepare`.
   */
  plan(question: PlanSwapParameters): Promise<SwapPlan>
  /**
   * The largest amount of `from` that can be swapped, in the smallest unit. For the native
   * currency, the balance minus the fee if the account pays it. Omit `to` if the output is not
   * chosen yet.
   */
  max(
    question: Pick<PlanSwapParameters, 'node' | 'network' | 'account' | 'isFeePaid' | 'from'> & {
      to?: SwapTokenFacts | undefined
    },
  ): Promise<bigint>
}
