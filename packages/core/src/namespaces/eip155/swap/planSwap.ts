import { getFee, LatchkeyError, readFeeRates, readL1Fee } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { SwapContracts } from '../../../networks.ts'
import type { Request } from '../../request.ts'
import type { PlanSwapParameters, SwapActions, SwapPlan, SwapTokenFacts } from '../../swapPlan.ts'
import { getPayer } from '../getPayer.ts'
import { getTransactionAmount, insufficientGas, readTokenBalance } from '../transactions.ts'
import { readEvmBalance, toBigInt } from '../values.ts'
import { encodeApprovals, getApprovals } from './approvals.ts'
import { executeSwap } from './executeSwap.ts'
import { readPermit } from './permit.ts'
import {
  approvalGas,
  estimateSwap,
  isWrapOf,
  prepareSwapCall,
  toTransaction,
} from './prepareCall.ts'

/** Gas that is reserved for a swap of the whole native balance. */
const reservedGas = 500_000n
/**
 * Stands for the data of a swap that is not prepared yet: longer than the data of a route through
 * several pools, and not compressible.
 */
const reservedData = `0x${Array.from({ length: 1_000 }, (_, at) =>
  ((at * at * 7_919) & 0xffff).toString(16).padStart(4, '0'),
).join('')}`

/** Swaps by a network's SwapRouter02. */
export const swaps: SwapActions = { plan: planSwap, max: maxSwap }

async function planSwap(parameters: PlanSwapParameters): Promise<SwapPlan> {
  const { node, network, account, isFeePaid, from, to, amount, allowance, sendBatch } = parameters
  const contracts = network.swap
  if (!contracts) throw new LatchkeyError('SWAP_UNSUPPORTED')
  const owner = account.address
  const spender = contracts.router
  const token = isWrapOf(parameters, contracts) ? undefined : from.address
  const grant = allowance === 'unlimited' ? maxUint256 : amount
  const [prepared, balanceWei, heldUnits, approvals, rates] = await Promise.all([
    prepareSwapCall(parameters, contracts),
    readEvmBalance({ node, address: owner }),
    from.address ? readTokenBalance(node, from.address, owner) : undefined,
    token ? getApprovals({ node, token, owner, spender, amount, grant }) : [],
    readFeeRates(node, network.id),
    assertDecimals(node, from),
    assertDecimals(node, to),
  ])
  const { call, gas: serverGas } = prepared
  if (amount > (heldUnits ?? balanceWei)) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const isBatch = approvals.length > 0 && sendBatch !== undefined
  const isSigned = approvals.length > 0 && !isBatch && (await canPermit(parameters))
  // The wallet decides what a batch costs, and who pays for it.
  const checksFee = account.type !== 'smartAccount' && !isBatch
  if (balanceWei === 0n && checksFee) throw insufficientGas(network)
  const swapGas =
    approvals.length > 0 ? serverGas : await estimateSwap(node, toTransaction(owner, call))
  const gas = swapGas + BigInt(approvals.length) * approvalGas
  const allowing = encodeApprovals({ token: token ?? '', spender, approvals })
  const calls = [...allowing, call]
  const l1FeeWei = await readL1Fee(node, {
    chainId: network.caipNetworkId,
    transactions: [
      ...allowing.map((one) => ({ ...one, gas: approvalGas })),
      { ...call, gas: swapGas },
    ],
  })
  const feeWei = getFee({ rates, gas, l1FeeWei }).maxFeeWei
  if (checksFee && call.value + feeWei > balanceWei) throw insufficientGas(network)
  const toStep = (value: bigint) => ({
    kind: 'approve' as const,
    spender,
    amount: getTransactionAmount(network, from, value),
    ...(value > amount && { isUnlimited: true as const }),
  })
  const permit = {
    kind: 'permit' as const,
    spender,
    amount: getTransactionAmount(network, from, amount),
  }
  const shown = { call, amount, feeWei, approvals, isSigned, checksFee, contracts }
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [getTransactionAmount(network, from, amount)],
    fee: {
      ...getTransactionAmount(network, network.nativeCurrency, feeWei),
      payer: await getPayer(isFeePaid, { calls, isBatch, gas }),
    },
    expected: getTransactionAmount(network, to, call.expected),
    minimum: getTransactionAmount(network, to, call.minimum),
    isBatch,
    steps: [...(isSigned ? [permit] : approvals.map(toStep)), { kind: 'swap', contract: call.to }],
    execute: (signal, onStep = () => {}) => executeSwap(parameters, { ...shown, signal, onStep }),
  }
}

/** Whether a signature can replace the allowances. */
async function canPermit(parameters: PlanSwapParameters): Promise<boolean> {
  const { node, network, account, from, allowance, canSign } = parameters
  if (allowance !== 'signature' || !canSign) return false
  const token = from.address ?? ''
  const holder = { node, token, owner: account.address, chainId: Number(network.id) }
  return (await readPermit(holder)) !== undefined
}

/**
 * Compares the token's own decimals with the listed ones, because a difference would make the
 * review show a wrong amount. Throws SWAP_ALTERED.
 */
async function assertDecimals(node: Request, { address, decimals }: SwapTokenFacts): Promise<void> {
  if (!address) return
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
  const own = toBigInt(await node('eth_call', [{ to: address, data }, 'latest']))
  if (own !== BigInt(decimals))
    throw new LatchkeyError('SWAP_ALTERED', { data: { reason: 'the decimals differ' } })
}

async function maxSwap(parameters: Parameters<SwapActions['max']>[0]) {
  const { node, network, account, isFeePaid, from } = parameters
  if (from.address) return readTokenBalance(node, from.address, account.address)
  const [balanceWei, rates] = await Promise.all([
    readEvmBalance({ node, address: account.address }),
    readFeeRates(node, network.id),
  ])
  const calls = getTargets(network.swap, parameters).map((to) => ({ to, value: balanceWei }))
  const sent = { calls, isBatch: false, gas: reservedGas }
  if ((await getPayer(isFeePaid, sent)) === 'sponsor') return balanceWei
  const { router } = network.swap ?? {}
  const l1FeeWei = await readL1Fee(node, {
    chainId: network.caipNetworkId,
    transactions: [{ to: router, value: balanceWei, data: reservedData, gas: reservedGas }],
  })
  const left = balanceWei - getFee({ rates, gas: reservedGas, l1FeeWei }).maxFeeWei
  return left > 0n ? left : 0n
}

/**
 * The contracts that a swap of the native currency may call: both, until the output token is
 * chosen.
 */
function getTargets(
  contracts: SwapContracts | undefined,
  { from, to }: Pick<Parameters<SwapActions['max']>[0], 'from' | 'to'>,
): string[] {
  if (!contracts) return []
  const { router, wrappedNative } = contracts
  if (!to) return [router, wrappedNative]
  return [isWrapOf({ from, to }, contracts) ? wrappedNative : router]
}
