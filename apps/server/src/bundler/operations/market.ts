import { type FeeRates, getFeeRates, getLeastTip } from '@latchkey/wire'
import * as z from 'zod'
import { hexQuantity } from '../../evm/schemas.ts'
import type { ChainReply } from '../askChain.ts'
import type { UserOperation } from './userOperation.ts'

/** The most gas that a transaction may have (EIP-7825). */
const maxTransactionGas = 16_777_216n

/**
 * A tip that is sufficient even if a node suggests more, in wei: a block that is not full includes
 * any tip.
 */
const enoughTip = 10n ** 9n

/** The calls whose results {@link readRates} and {@link readMarket} need. */
export const feeQuestions = [
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_gasPrice', params: [] },
  { method: 'eth_maxPriorityFeePerGas', params: [] },
] as const

/** The fees of the next block from the results of {@link feeQuestions}. Throws ANSWER_INVALID. */
export const readRates = (
  [block, gasPrice, tip]: readonly ChainReply[],
  chainNumber: number,
): FeeRates =>
  getFeeRates({ block: block?.result, gasPrice: gasPrice?.result, tip: tip?.result }, chainNumber)

/** The current fees of a network; prices are in wei for a unit of gas. */
export type Market = {
  /** 0 on a network without base fees. */
  readonly baseFee: bigint
  readonly hasBaseFee: boolean
  /**
   * The tip that a node suggests. It follows what others pay, so anyone can raise it for a while.
   */
  readonly tip: bigint
  /** Accepted in place of the suggestion, which changes between estimating and sending. */
  readonly usualTip: bigint
  /** The least that an operation pays. */
  readonly leastTip: bigint
  /** The first offer of a transaction. */
  readonly maxFee: bigint
  /** Now, in seconds since 1970: the time of the latest block, or ours if that is later. */
  readonly time: number
  /** The most gas that a transaction may have. */
  readonly gasLimit: bigint
}

const header = z.object({
  gasLimit: hexQuantity.default(maxTransactionGas),
  timestamp: hexQuantity.default(0n),
})

/** The market from the results of {@link feeQuestions}. Throws ANSWER_INVALID. */
export function readMarket(replies: readonly ChainReply[], chainNumber: number): Market {
  const { currentWei, maxWei, fields } = readRates(replies, chainNumber)
  const hasBaseFee = !('gasPrice' in fields)
  const tip = hasBaseFee ? fields.maxPriorityFeePerGas : currentWei
  const least = getLeastTip(chainNumber)
  const usualTip = max((tip * 3n + 3n) / 4n, least)
  const block = header.safeParse(replies[0]?.result).data
  return {
    baseFee: currentWei - tip,
    hasBaseFee,
    tip,
    usualTip,
    leastTip: hasBaseFee ? min(usualTip, max(enoughTip, least)) : usualTip,
    maxFee: maxWei,
    time: Math.max(Number(block?.timestamp ?? 0n), Math.floor(Date.now() / 1_000)),
    gasLimit: min(maxTransactionGas, block?.gasLimit ?? maxTransactionGas),
  }
}

/** The maximum price of a unit of gas, and the block producer's part of it, in wei. */
export type Fees = { readonly fee: bigint; readonly tip: bigint }

/** The offer of an operation. Without a base fee both limits apply to the same price. */
export function getOffer(
  { maxFeePerGas: fee, maxPriorityFeePerGas: tip }: Offering,
  { hasBaseFee }: Pick<Market, 'hasBaseFee'>,
): Fees {
  return { fee: hasBaseFee ? fee : min(fee, tip), tip }
}

type Offering = Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** The least that an operation has to offer to get into a block now. */
export const getLeastFees = ({ baseFee, leastTip }: Market): Fees => ({
  fee: baseFee + leastTip,
  tip: leastTip,
})

/** Whether an offer is at least as high in both fees. */
export const covers = (offer: Fees, least: Fees): boolean =>
  offer.fee >= least.fee && offer.tip >= least.tip

/** The highest fees that all of the operations pay in full, with any future base fee. */
export function getCommonOffer(operations: readonly Offering[], market: Market): Fees {
  const offers = operations.map((one) => getOffer(one, market))
  return offers.reduce((one, other) => ({
    fee: min(one.fee, other.fee),
    tip: min(one.tip, other.tip),
  }))
}

/**
 * The least price that an operation pays for a unit of gas: the base fee of the next block may be
 * an eighth lower (EIP-1559).
 */
export const getLeastPrice = (operation: Offering, market: Market): bigint =>
  min(operation.maxFeePerGas, (market.baseFee * 7n) / 8n + operation.maxPriorityFeePerGas)

const min = (a: bigint, b: bigint) => (a < b ? a : b)

const max = (a: bigint, b: bigint) => (a > b ? a : b)
