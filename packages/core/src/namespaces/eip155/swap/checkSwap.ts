import { LatchkeyError } from '@latchkey/wire'
import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import type { SwapContracts } from '../../../networks.ts'
import type { PreparedSwap } from '../../swapPlan.ts'
import { swapRouterAbi } from './abi.ts'

/** The receiver that makes SwapRouter02 hold the output for a later step. */
const routerItself = '0x0000000000000000000000000000000000000002'
/** The longest deadline: a server may prepare transactions that can wait, but not for long. */
const maxWaitSeconds = 1_200n

/** The user's request. A token without an address is the native currency. */
export type ExpectedSwap = {
  contracts: SwapContracts
  user: string
  from: string | undefined
  to: string | undefined
  amount: bigint
  /** In ten-thousandths. */
  slippageBps: bigint
  /** Seconds since 1970: the later of the network's time and the browser's. */
  nowSeconds: bigint
}

/** A transaction whose calldata was verified against the request. */
export type SwapCall = {
  to: Hex
  data: Hex
  value: bigint
  expected: bigint
  minimum: bigint
  /** Absent if the transaction does not expire. */
  deadlineSeconds?: bigint
}

/**
 * Decodes the calldata that a server prepared, and compares all of it with the request: router,
 * value, tokens, amounts, receivers, minimum and deadline. Throws SWAP_ALTERED for any difference,
 * and for calldata that it cannot decode.
 */
export function checkSwap(prepared: PreparedSwap, wanted: ExpectedSwap): SwapCall {
  const { contracts, user, from, to, amount, slippageBps, nowSeconds } = wanted
  const data = prepared.data as Hex
  assert(isSame(prepared.to, contracts.router), 'another contract')
  assert(prepared.value === (from === undefined ? amount : 0n), 'another value')
  const [deadlineSeconds, inner] = read(data, 'multicall')
  assert(deadlineSeconds > nowSeconds, 'it is over')
  assert(deadlineSeconds <= nowSeconds + maxWaitSeconds, 'it does not end soon')
  const steps = inner.map(readStep)
  const swaps = steps.filter((step) => step.kind === 'swap')
  const [collect, ...others] = steps.filter((step) => step.kind === 'collect')
  assert(swaps.length > 0 && others.length === 0, 'the steps differ')
  assert(collect === undefined || steps.at(-1) === collect, 'the steps differ')
  const [first, last] = [from ?? contracts.wrappedNative, to ?? contracts.wrappedNative]
  for (const { path, recipient, amount: share } of swaps) {
    // With 0, the router would take its own balance.
    assert(share > 0n, 'another amount')
    assert(path.length >= 2, 'another token')
    assert(isSame(path[0], first) && isSame(path.at(-1), last), 'another token')
    assert(isSame(recipient, collect ? routerItself : user), 'another receiver')
  }
  const paid = swaps.reduce((total, swap) => total + swap.amount, 0n)
  assert(paid === amount, 'another amount')
  if (collect) {
    assert(isSame(collect.recipient, user), 'another receiver')
    // Native currency arrives only if it is unwrapped, and a token only if it is not.
    assert(
      to === undefined ? collect.token === undefined : isSame(collect.token, to),
      'another token',
    )
  } else {
    // Without a collecting step, each of several paths would have its own minimum.
    assert(swaps.length === 1 && to !== undefined, 'the steps differ')
  }
  const minimum = collect?.minimum ?? swaps[0]?.minimum ?? 0n
  const { expected } = prepared
  assert(expected > 0n && minimum > 0n && minimum <= expected, 'another minimum')
  assert(minimum * 10_000n >= expected * (10_000n - slippageBps), 'a lower minimum')
  return { to: contracts.router, data, value: prepared.value, expected, minimum, deadlineSeconds }
}

type Step =
  | { kind: 'swap'; path: readonly string[]; amount: bigint; minimum: bigint; recipient: string }
  /** The native currency if there is no token. */
  | { kind: 'collect'; token: string | undefined; minimum: bigint; recipient: string }

function readStep(data: Hex): Step {
  const { functionName, args } = decode(data)
  switch (functionName) {
    case 'swapExactTokensForTokens': {
      const [amount, minimum, path, recipient] = args
      return { kind: 'swap', path, amount, minimum, recipient }
    }
    case 'exactInput': {
      const [{ path, recipient, amountIn, amountOutMinimum }] = args
      const tokens = readPath(path)
      return { kind: 'swap', path: tokens, amount: amountIn, minimum: amountOutMinimum, recipient }
    }
    case 'sweepToken': {
      const [token, minimum, recipient] = args
      return { kind: 'collect', token, minimum, recipient }
    }
    case 'unwrapWETH9': {
      const [minimum, recipient] = args
      return { kind: 'collect', token: undefined, minimum, recipient }
    }
    default:
      throw altered('the steps differ')
  }
}

/**
 * The tokens of a Uniswap V3 path: 20 bytes each, with the pool's fee in 3 bytes between two
 * tokens.
 */
function readPath(path: Hex): string[] {
  assert(/^0x([0-9a-fA-F]{46})+[0-9a-fA-F]{40}$/.test(path), 'another token')
  const count = (path.length - 42) / 46 + 1
  return Array.from(
    { length: count },
    (_, index) => `0x${path.slice(2 + index * 46, 42 + index * 46)}`,
  )
}

function read(data: Hex, name: 'multicall') {
  const { functionName, args } = decode(data)
  if (functionName !== name) throw altered('the steps differ')
  return args
}

/**
 * Decodes calldata like the router. Only the canonical encoding is accepted, because other bytes
 * may mean something else to a contract.
 */
function decode(data: Hex) {
  const read = () => decodeFunctionData({ abi: swapRouterAbi, data })
  let decoded: ReturnType<typeof read>
  try {
    decoded = read()
  } catch {
    throw altered('it cannot be read')
  }
  const parameters = { abi: swapRouterAbi, ...decoded } as Parameters<typeof encodeFunctionData>[0]
  assert(encodeFunctionData(parameters) === data.toLowerCase(), 'it cannot be read')
  return decoded
}

const isSame = (one: string | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase()

function assert(holds: boolean, reason: string): asserts holds {
  if (!holds) throw altered(reason)
}

const altered = (reason: string) => new LatchkeyError('SWAP_ALTERED', { data: { reason } })
