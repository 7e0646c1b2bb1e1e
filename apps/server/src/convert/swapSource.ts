import type { ChainId } from '@latchkey/wire'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'

/**
 * A request to exchange all of `amount` (in the smallest unit). Addresses are lower-case; the
 * native currency is 0xeeee…eeee.
 */
export type Trade = {
  readonly chainId: ChainId
  readonly from: Hex
  readonly to: Hex
  readonly amount: bigint
}

/** A path that takes a share of the amount, token by token, with the names of its exchanges. */
type SwapPath = {
  readonly percent: number
  readonly tokens: readonly Hex[]
  readonly exchanges: readonly string[]
}

/**
 * The expected result of a trade now. Fee and impact are in parts per million, absent if the source
 * does not report them.
 */
export type SwapQuote = {
  readonly toAmount: bigint
  readonly gas: bigint | undefined
  readonly paths: readonly SwapPath[]
  /** The fee that the pools keep. */
  readonly feePpm?: bigint
  /** How far the trade itself moves the price from the pools' mid price. */
  readonly impactPpm?: bigint
  /** The block that was read. */
  readonly block?: bigint
  /** Wrapping or unwrapping the native currency: there is no pool and no spender. */
  readonly isWrap?: true
}

/**
 * A trade of a user who accepts `slippageBps` ten-thousandths less than quoted. `permit`: an
 * EIP-2612 permit, ABI-encoded.
 */
export type Order = Trade & {
  readonly user: Hex
  readonly slippageBps: bigint
  readonly permit: Hex | undefined
}

/**
 * The transaction for the user's wallet. It fails if less than `minimum` arrives, or after
 * `deadlineSeconds` (since 1970) if it has a deadline.
 */
type SwapTransaction = {
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly quote: SwapQuote
  readonly minimum: bigint
  readonly deadlineSeconds?: bigint
}

/**
 * A source of swaps. Each method throws {@link HttpFailure} for trades that it cannot make, and
 * RPC_UNAVAILABLE.
 */
export type SwapSource = {
  quote(trade: Trade): Promise<SwapQuote>
  build(order: Order): Promise<SwapTransaction>
  /** The contract that users allow to take their tokens, one per network. */
  spender(chainId: ChainId): Promise<Hex>
}

/** A failure of the trade itself. Clients look for the words `insufficient liquidity`. */
export const refuseTrade = (reason: string): HttpFailure =>
  new HttpFailure(badRequest('', `Conversion parameter error: ${reason}`))

export const noLiquidity = (): HttpFailure => refuseTrade('insufficient liquidity')

/** The failure of a source that does not answer. */
export const sourceUnavailable: Failure = {
  status: 503,
  field: '',
  description: 'Convertion provider is temporarily unavailable',
  retryAfterSeconds: 5,
}

/**
 * The minimum that the user receives, rounded up so that it is never a unit below the accepted
 * slippage.
 */
export const getMinimum = (toAmount: bigint, slippageBps: bigint): bigint =>
  (toAmount * (10_000n - slippageBps) + 9_999n) / 10_000n
