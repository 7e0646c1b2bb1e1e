import { addGasMargin, isError, LatchkeyError } from '@latchkey/wire'
import { encodeFunctionData, type Hex } from 'viem'
import type { SwapContracts } from '../../../networks.ts'
import type { Request } from '../../request.ts'
import type { PlanSwapParameters, SwapTokenFacts } from '../../swapPlan.ts'
import { estimateTransactionGas, type WalletTransaction } from '../transactions.ts'
import { toBigInt, toHex } from '../values.ts'
import { wrappedNativeAbi } from './abi.ts'
import { checkSwap, type SwapCall } from './checkSwap.ts'

/** Gas of an allowance change that cannot be estimated yet, because another change comes first. */
export const approvalGas = 100_000n
/** The limit for a server's gas estimate, which is used if the swap cannot be estimated yet. */
const maxSwapGas = 5_000_000n
/** How far a network's time may be ahead of the device's clock. */
const maxAheadSeconds = 900n
const wrongClock =
  'the network is in another time than this device. Set the clock of this device, or try again'

/**
 * Has the server prepare the swap and checks the result. A wrap is encoded here. Throws
 * SWAP_ALTERED and the errors of `prepare`.
 */
export async function prepareSwapCall(
  parameters: PlanSwapParameters,
  contracts: SwapContracts,
): Promise<{ call: SwapCall; gas: bigint; nowSeconds: bigint }> {
  const { account, from, to, amount, slippage, prepare } = parameters
  if (isWrapOf(parameters, contracts))
    return { call: wrap(parameters, contracts), gas: approvalGas, nowSeconds: 0n }
  const [prepared, nowSeconds] = await Promise.all([prepare(), readTime(parameters)])
  const call = checkSwap(prepared, {
    contracts,
    user: account.address,
    from: from.address,
    to: to.address,
    amount,
    slippageBps: BigInt(Math.round(slippage * 100)),
    nowSeconds,
  })
  return { call, gas: prepared.gas < maxSwapGas ? prepared.gas : maxSwapGas, nowSeconds }
}

/**
 * The current time in seconds since 1970. An idle network is behind, so the device's clock is used.
 * Test networks may be ahead, because their time can be moved. If another network is ahead, the
 * node lies or the clock is wrong: a deadline based on its time might not pass for years. Throws
 * SWAP_REFUSED.
 */
export async function readTime({ now, node, network }: PlanSwapParameters): Promise<bigint> {
  const block = await node('eth_getBlockByNumber', ['latest', false])
  const timestamp = toBigInt((block as { timestamp?: unknown } | null)?.timestamp)
  const here = BigInt(Math.floor(now() / 1000))
  if (timestamp <= here) return here
  if (!network.testnet && timestamp > here + maxAheadSeconds)
    throw new LatchkeyError('SWAP_REFUSED', { data: { reason: wrongClock } })
  return timestamp
}

/** Whether the swap only wraps or unwraps the native currency, which no server has to prepare. */
export function isWrapOf(
  { from, to }: Pick<PlanSwapParameters, 'from' | 'to'>,
  { wrappedNative }: SwapContracts,
): boolean {
  const isWrapped = ({ address }: SwapTokenFacts) =>
    address?.toLowerCase() === wrappedNative.toLowerCase()
  return (!from.address && isWrapped(to)) || (isWrapped(from) && !to.address)
}

function wrap({ from, amount }: PlanSwapParameters, { wrappedNative }: SwapContracts): SwapCall {
  const data = from.address
    ? encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] })
    : encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })
  const value = from.address ? 0n : amount
  return { to: wrappedNative, data, value, expected: amount, minimum: amount }
}

/** Estimates a swap's gas. Throws SWAP_PRICE_MOVED, SWAP_REFUSED with the reason. */
export async function estimateSwap(node: Request, transaction: WalletTransaction): Promise<bigint> {
  try {
    return addGasMargin(await estimateTransactionGas(node, transaction))
  } catch (error) {
    if (!isError(error, 'RPC_FAILED')) throw error
    // The router's error messages for an output below the minimum.
    if (/Too little received|Insufficient (token|WETH9)|Transaction too old/i.test(error.message))
      throw new LatchkeyError('SWAP_PRICE_MOVED', { cause: error })
    throw new LatchkeyError('SWAP_REFUSED', { data: { reason: error.message }, cause: error })
  }
}

/** The transaction that the wallet sends, without its fee. */
export const toTransaction = (
  from: string,
  { to, data, value }: SwapCall,
): WalletTransaction & { data: Hex } => ({
  from,
  to,
  data,
  value: toHex(value),
})
