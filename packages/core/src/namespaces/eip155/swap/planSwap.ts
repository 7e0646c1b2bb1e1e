import {
  addGasMargin,
  type FeeRates,
  getFee,
  isError,
  LatchkeyError,
  readFeeRates,
} from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { SwapContracts } from '../../../networks.ts'
import type { Request } from '../../request.ts'
import type { SwapActions, SwapPlan, SwapQuestion, TokenFacts } from '../../swapPlan.ts'
import {
  estimateGas,
  getAmount,
  hexFields,
  insufficientGas,
  submit,
  type Transaction,
  tokenBalance,
} from '../transactions.ts'
import { readBalance, toBigInt, toHex } from '../values.ts'
import { wrappedAbi } from './abi.ts'
import { encodeApproval, getApprovals, readAllowance } from './approvals.ts'
import { checkSwap, type SwapCall } from './checkSwap.ts'

/** Gas of a change of an allowance, where it cannot be estimated because another comes before it. */
const approvalGas = 100_000n
/** Gas that is left for a swap of the whole native balance. */
const reservedGas = 500_000n
/** What a server may say that a swap uses, where it cannot be estimated yet. */
const maxSwapGas = 5_000_000n

/** Swaps by a network's SwapRouter02. */
export const swaps: SwapActions = { plan: planSwap, max: maxSwap }

async function planSwap(question: SwapQuestion): Promise<SwapPlan> {
  const { node, network, account, isSponsored = false, from, to, amount, sendBatch } = question
  const contracts = network.swap
  if (!contracts) throw new LatchkeyError('SWAP_UNSUPPORTED')
  const owner = account.address
  const spender = contracts.router
  const token = isWrapOf(question, contracts) ? undefined : from.address
  const [prepared, balanceWei, heldUnits, approvals, rates] = await Promise.all([
    prepareCall(question, contracts),
    readBalance({ node, address: owner }),
    from.address ? tokenBalance(node, from.address, owner) : undefined,
    token ? getApprovals({ node, token, owner, spender, amount }) : [],
    readFeeRates(node),
    assertDecimals(node, from),
    assertDecimals(node, to),
  ])
  const { call, gas: serverGas } = prepared
  if (amount > (heldUnits ?? balanceWei)) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const isBatch = approvals.length > 0 && sendBatch !== undefined
  // What a batch costs, and who pays for it, the wallet says.
  const checksFee = account.type !== 'smartAccount' && !isBatch
  if (balanceWei === 0n && checksFee) throw insufficientGas(network)
  const swapGas =
    approvals.length > 0 ? serverGas : await estimateSwap(node, toTransaction(owner, call))
  const gas = swapGas + BigInt(approvals.length) * approvalGas
  const feeWei = getFee({ rates, gas }).maxFeeWei
  if (checksFee && call.value + feeWei > balanceWei) throw insufficientGas(network)
  const toStep = (value: bigint) => ({
    kind: 'approve' as const,
    spender,
    amount: getAmount(network, from, value),
  })
  const shown = { call, feeWei, approvals, checksFee }
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [getAmount(network, from, amount)],
    fee: {
      ...getAmount(network, network.nativeCurrency, feeWei),
      payer: isSponsored ? 'sponsor' : 'account',
    },
    expected: getAmount(network, to, call.expected),
    minimum: getAmount(network, to, call.minimum),
    isBatch,
    steps: [...approvals.map(toStep), { kind: 'swap', contract: call.to }],
    execute: (signal, onStep = () => {}) =>
      execute(question, { ...shown, contracts, signal, onStep }),
  }
}

type Shown = {
  call: SwapCall
  feeWei: bigint
  approvals: readonly bigint[]
  checksFee: boolean
  contracts: SwapContracts
  signal: AbortSignal
  onStep: (index: number) => void
}

async function execute(question: SwapQuestion, shown: Shown) {
  const { node, account, from, sendBatch } = question
  const { approvals, contracts, signal, onStep } = shown
  const owner = account.address
  const spender = contracts.router
  const token = from.address ?? ''
  const calls = approvals.map((value) => ({ to: token, data: encodeApproval(spender, value) }))
  assertWanted(signal)
  if (calls.length > 0 && sendBatch) {
    const call = await prepareAgain(question, shown)
    assertWanted(signal)
    try {
      return { callsId: await sendBatch([...calls, call]) }
    } catch (error) {
      // The wallet says only now that it sends them one by one.
      if (!batchRefusals.some((code) => isError(error, code))) throw error
    }
  }
  for (const [index, { to, data }] of calls.entries()) {
    onStep(index)
    await sendApproval(question, { transaction: { from: owner, to, data, value: '0x0' }, signal })
  }
  onStep(calls.length)
  const wanted = approvals.at(-1)
  if (wanted !== undefined && (await readAllowance({ node, token, owner, spender })) < wanted)
    throw new LatchkeyError('SWAP_REFUSED', { data: { reason: 'the wallet allowed too little' } })
  const call = await prepareAgain(question, shown)
  return { hash: await sendSwap(question, { ...shown, call }) }
}

const batchRefusals = ['UPGRADE_REJECTED', 'ATOMICITY_UNSUPPORTED', 'UNSUPPORTED_METHOD'] as const

async function sendApproval(
  { wallet, node, network, waitForTransaction }: SwapQuestion,
  { transaction, signal }: { transaction: Transaction; signal: AbortSignal },
) {
  const [gas, rates] = await Promise.all([estimateGas(node, transaction), readFeeRates(node)])
  assertWanted(signal)
  const chainId = toHex(BigInt(network.id))
  const fields = hexFields(rates.fields)
  const limit = toHex(addGasMargin(gas))
  const hash = await submit(wallet, { ...transaction, ...fields, gas: limit, chainId })
  const { status } = await waitForTransaction({ hash, chainId: network.caipNetworkId, signal })
  if (status === 'reverted')
    throw new LatchkeyError('SWAP_REFUSED', { data: { reason: 'the token refused the allowance' } })
}

async function sendSwap(
  { wallet, node, network, account }: SwapQuestion,
  { call, feeWei, checksFee, signal }: Shown,
) {
  const transaction = toTransaction(account.address, call)
  const [gas, rates] = await Promise.all([estimateSwap(node, transaction), readFeeRates(node)])
  assertWanted(signal)
  if (checksFee && isDearer(gas, rates, feeWei)) throw new LatchkeyError('SWAP_PRICE_MOVED')
  const chainId = toHex(BigInt(network.id))
  const fields = hexFields(rates.fields)
  return submit(wallet, { ...transaction, ...fields, gas: toHex(gas), chainId })
}

/** What moves with every block is not worth another look: up to a quarter more than was shown. */
const isDearer = (gas: bigint, rates: FeeRates, feeWei: bigint) =>
  getFee({ rates, gas }).maxFeeWei * 4n > feeWei * 5n

/** The swap as it is prepared now, or as it was shown, if what would arrive now is still within that. Throws SWAP_PRICE_MOVED. */
async function prepareAgain(question: SwapQuestion, { call, contracts }: Shown): Promise<SwapCall> {
  const fresh = await prepareCall(question, contracts)
  if (fresh.call.minimum >= call.minimum) return fresh.call
  const { deadlineSeconds } = call
  const isOver = deadlineSeconds !== undefined && deadlineSeconds < fresh.nowSeconds + 60n
  if (fresh.call.expected >= call.minimum && !isOver) return call
  throw new LatchkeyError('SWAP_PRICE_MOVED')
}

async function prepareCall(
  question: SwapQuestion,
  contracts: SwapContracts,
): Promise<{ call: SwapCall; gas: bigint; nowSeconds: bigint }> {
  const { node, account, from, to, amount, slippage, prepare } = question
  if (isWrapOf(question, contracts))
    return { call: wrap(question, contracts), gas: approvalGas, nowSeconds: 0n }
  const [prepared, nowSeconds] = await Promise.all([prepare(), readTime(question, node)])
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

/** Seconds since 1970: a network that nobody uses is behind, one that was moved on is ahead. */
async function readTime({ now }: SwapQuestion, node: Request): Promise<bigint> {
  const block = await node('eth_getBlockByNumber', ['latest', false])
  const timestamp = toBigInt((block as { timestamp?: unknown } | null)?.timestamp)
  const here = BigInt(Math.floor(now() / 1000))
  return timestamp > here ? timestamp : here
}

/** Whether the native currency is only wrapped or unwrapped, which no server has to prepare. */
function isWrapOf({ from, to }: SwapQuestion, { wrappedNative }: SwapContracts): boolean {
  const isWrapped = ({ address }: TokenFacts) =>
    address?.toLowerCase() === wrappedNative.toLowerCase()
  return (!from.address && isWrapped(to)) || (isWrapped(from) && !to.address)
}

function wrap({ from, amount }: SwapQuestion, { wrappedNative }: SwapContracts): SwapCall {
  const data = from.address
    ? encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [amount] })
    : encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' })
  const value = from.address ? 0n : amount
  return { to: wrappedNative, data, value, expected: amount, minimum: amount }
}

/** What a token says of itself, where the review would otherwise show an amount that is not the one that moves. Throws SWAP_ALTERED. */
async function assertDecimals(node: Request, { address, decimals }: TokenFacts): Promise<void> {
  if (!address) return
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
  const own = toBigInt(await node('eth_call', [{ to: address, data }, 'latest']))
  if (own !== BigInt(decimals))
    throw new LatchkeyError('SWAP_ALTERED', { data: { reason: 'other decimals' } })
}

async function estimateSwap(node: Request, transaction: Transaction): Promise<bigint> {
  try {
    return addGasMargin(await estimateGas(node, transaction))
  } catch (error) {
    if (!isError(error, 'RPC_FAILED')) throw error
    // The router's own words for less than the minimum.
    if (/Too little received|Insufficient (token|WETH9)|Transaction too old/i.test(error.message))
      throw new LatchkeyError('SWAP_PRICE_MOVED', { cause: error })
    throw new LatchkeyError('SWAP_REFUSED', { data: { reason: error.message }, cause: error })
  }
}

async function maxSwap(question: Parameters<SwapActions['max']>[0]) {
  const { node, account, isSponsored, token } = question
  if (token.address) return tokenBalance(node, token.address, account.address)
  const [balanceWei, rates] = await Promise.all([
    readBalance({ node, address: account.address }),
    readFeeRates(node),
  ])
  if (isSponsored) return balanceWei
  const left = balanceWei - getFee({ rates, gas: reservedGas }).maxFeeWei
  return left > 0n ? left : 0n
}

const toTransaction = (
  from: string,
  { to, data, value }: SwapCall,
): Transaction & { data: Hex } => ({
  from,
  to,
  data,
  value: toHex(value),
})

function assertWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new LatchkeyError('ABORTED')
}
