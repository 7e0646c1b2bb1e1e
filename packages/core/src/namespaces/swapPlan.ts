import type { ChainId } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { BatchCall, IsFeePaid } from './batchCalls.ts'
import type { Request } from './request.ts'
import type { TransactionOutcome } from './transactionOutcome.ts'
import type { Amount, Plan, SendToken } from './transferPlan.ts'

/** A token that is swapped; no address means the network's own currency. */
export type TokenFacts = Omit<SendToken, 'nft'>

/**
 * A transaction as the server prepared it: parsed, and not to be trusted. Amounts are in the
 * smallest unit.
 */
export type PreparedSwap = {
  to: string
  data: string
  value: bigint
  expected: bigint
  /** Gas that it may use. */
  gas: bigint
}

/** What the wallet is asked for, in this order. */
type SwapStep =
  /**
   * An allowance of exactly this amount, or of any where `isUnlimited`; of 0 where the token wants
   * an earlier one taken back first.
   */
  | { kind: 'approve'; spender: string; amount: Amount; isUnlimited?: true }
  /** A signature that allows exactly this amount for minutes (EIP-2612); it costs nothing. */
  | { kind: 'permit'; spender: string; amount: Amount }
  | { kind: 'swap'; contract: string }

/**
 * How a token is allowed: `signature`, exactly the amount, without a transaction where token and
 * wallet can, and otherwise with one; `exact`, exactly the amount by a transaction; `unlimited`,
 * any amount until it is taken back.
 */
export type AllowanceChoice = 'signature' | 'exact' | 'unlimited'

/**
 * The reason of SWAP_REFUSED where a token or a wallet does not take a signature: `exact` is
 * possible all the same.
 */
export const signatureRefused = 'the token cannot be allowed by a signature'

/** The id of the transaction that swaps, or of the batch that it is part of. */
export type SwapOutcome = { hash: string } | { callsId: string }

/** A swap that was checked against its review: what leaves is in `outflows`. */
export type SwapPlan = Omit<Plan, 'steps' | 'execute'> & {
  steps: readonly SwapStep[]
  /** What arrives if nothing moves, and what arrives at least: otherwise nothing is swapped. */
  expected: Amount
  minimum: Amount
  /** Whether the wallet does all steps as one: all or nothing. */
  isBatch: boolean
  /**
   * Asks the wallet, step by step, and has the swap prepared anew before it. Throws ABORTED, the
   * wallet's errors, SWAP_PRICE_MOVED where less than `minimum` would arrive or it would cost more
   * than `fee`, SWAP_REFUSED, SWAP_ALTERED.
   */
  execute(signal: AbortSignal, onStep?: (index: number) => void): Promise<SwapOutcome>
}

export type SwapQuestion = {
  wallet: Request
  node: Request
  now: () => number
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isFeePaid?: IsFeePaid
  from: TokenFacts
  to: TokenFacts
  /** In the smallest unit. */
  amount: bigint
  /** In per cent. */
  slippage: number
  allowance: AllowanceChoice
  /** Whether the wallet signs typed data. */
  canSign: boolean
  /** Has the server prepare the transaction. */
  prepare: () => Promise<PreparedSwap>
  /** Sends calls as one; absent where the wallet cannot. */
  sendBatch: ((calls: readonly BatchCall[]) => Promise<string>) | undefined
  waitForTransaction: (parameters: {
    hash: string
    chainId: ChainId
    signal: AbortSignal
  }) => Promise<TransactionOutcome>
}

/** Swaps, where a namespace has them. */
export type SwapActions = {
  /**
   * Checks a swap and prepares it. Throws SWAP_UNSUPPORTED, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS,
   * SWAP_ALTERED, SWAP_REFUSED, and what `prepare` throws.
   */
  plan(question: SwapQuestion): Promise<SwapPlan>
  /**
   * The most of `from` that can be swapped, in the smallest unit: of the native currency what the
   * fee leaves, if the account pays it. Without `to`, for whatever it will be.
   */
  max(
    question: Pick<SwapQuestion, 'node' | 'network' | 'account' | 'isFeePaid' | 'from'> & {
      to?: TokenFacts | undefined
    },
  ): Promise<bigint>
}
