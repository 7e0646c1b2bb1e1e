import { decodeAbiParameters, encodeFunctionData } from 'viem/utils'
import { nativeAddress } from '../../evm/address.ts'
import type { Hex } from '../../evm/hex.ts'
import type { Order } from '../swapSource.ts'
import { routerAbi } from './abi.ts'
import { encodePath } from './quoterCalls.ts'
import { getShare } from './readMarket.ts'
import type { Split } from './splitAmount.ts'

/** The recipient that makes SwapRouter02 itself hold the output, for a later step. */
const routerItself = '0x0000000000000000000000000000000000000002'

type Terms = {
  readonly splits: readonly Split[]
  readonly minimum: bigint
  readonly deadlineSeconds: bigint
}

/**
 * The calldata for the router: a permit if there is one, the swap of each path, and the call that
 * collects the output. One minimum covers all paths together. Throws if `permit` is malformed.
 */
export function encodeOrder(order: Order, terms: Terms): Hex {
  const { splits, minimum, deadlineSeconds } = terms
  const isToNative = order.to === nativeAddress
  const isCollected = isToNative || splits.length > 1
  const recipient = isCollected ? routerItself : order.user
  const amounts = getAmounts(order.amount, splits)
  const swaps = splits.map((split, index) =>
    encodeSwap(split, {
      amountIn: amounts[index] ?? 0n,
      minimum: isCollected ? 0n : minimum,
      recipient,
    }),
  )
  const collects = isToNative
    ? [encode('unwrapWETH9', [minimum, order.user])]
    : isCollected
      ? [encode('sweepToken', [order.to, minimum, order.user])]
      : []
  const permits = order.permit === undefined ? [] : [encodePermit(order.from, order.permit)]
  return encode('multicall', [deadlineSeconds, [...permits, ...swaps, ...collects]])
}

/**
 * The input amount of each path. The first path also takes the rounding remainder, so nothing is
 * left.
 */
function getAmounts(amount: bigint, splits: readonly Split[]): bigint[] {
  const amounts = splits.map(({ count }) => getShare(amount, count - 1))
  const rest = amount - amounts.reduce((total, one) => total + one, 0n)
  return amounts.map((one, index) => (index === 0 ? one + rest : one))
}

type Swap = { readonly amountIn: bigint; readonly minimum: bigint; readonly recipient: Hex }

function encodeSwap({ quote: { path } }: Split, { amountIn, minimum, recipient }: Swap): Hex {
  if (path.version === 'v2')
    return encode('swapExactTokensForTokens', [amountIn, minimum, path.tokens, recipient])
  return encode('exactInput', [
    { path: encodePath(path), recipient, amountIn, amountOutMinimum: minimum },
  ])
}

const permitTypes = [
  { type: 'address' },
  { type: 'address' },
  { type: 'uint256' },
  { type: 'uint256' },
  { type: 'uint8' },
  { type: 'bytes32' },
  { type: 'bytes32' },
] as const

/**
 * The router's permit step, from the arguments of an EIP-2612 `permit` call without its selector:
 * owner, spender, value, deadline, v, r, s.
 */
function encodePermit(token: Hex, permit: Hex): Hex {
  const [, , value, deadline, v, r, s] = decodeAbiParameters(permitTypes, permit)
  return encode('selfPermitIfNecessary', [token, value, deadline, v, r, s])
}

const encode = (functionName: (typeof routerAbi)[number]['name'], args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: routerAbi, functionName, args } as Parameters<
    typeof encodeFunctionData
  >[0])
