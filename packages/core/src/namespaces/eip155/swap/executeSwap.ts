import {
  addGasMargin,
  getFee,
  isError,
  LatchkeyError,
  readFeeRates,
  readL1Fee,
} from '@latchkey/wire'
import type { SwapContracts } from '../../../networks.ts'
import type { PlanSwapParameters, SwapOutcome } from '../../swapPlan.ts'
import {
  assertIncluded,
  estimateTransactionGas,
  hexFields,
  submit,
  type WalletTransaction,
} from '../transactions.ts'
import { toHex } from '../values.ts'
import { encodeApprovals, readAllowance } from './approvals.ts'
import type { SwapCall } from './checkSwap.ts'
import { addPermit, readPermit, refuseSignature, signPermit } from './permit.ts'
import { estimateSwap, prepareSwapCall, readTime, toTransaction } from './prepareCall.ts'

/** The reviewed swap. */
type ReviewedSwapCall = {
  call: SwapCall
  amount: bigint
  feeWei: bigint
  /** The allowances to request by transaction, one after the other. */
  approvals: readonly bigint[]
  /** Whether a signature replaces the allowances. */
  isSigned: boolean
  checksFee: boolean
  contracts: SwapContracts
  signal: AbortSignal
  onStep: (index: number) => void
}

/** Requests each step of a reviewed swap from the wallet; `SwapPlan.execute` lists the errors. */
export async function executeSwap(
  parameters: PlanSwapParameters,
  shown: ReviewedSwapCall,
): Promise<SwapOutcome> {
  const { node, account, from, sendBatch } = parameters
  const { approvals, amount, contracts, signal, onStep } = shown
  const owner = account.address
  const spender = contracts.router
  const token = from.address ?? ''
  const calls = encodeApprovals({ token, spender, approvals })
  assertWanted(signal)
  if (shown.isSigned) return { hash: await signAndSwap(parameters, shown) }
  if (calls.length > 0 && sendBatch) {
    const call = await prepareAgain(parameters, shown)
    assertWanted(signal)
    try {
      return { callsId: await sendBatch([...calls, call]) }
    } catch (error) {
      // The wallet reports only now that it cannot send them as one batch.
      if (!batchRefusals.some((code) => isError(error, code))) throw error
    }
  }
  for (const [index, { to, data }] of calls.entries()) {
    onStep(index)
    await sendApproval(parameters, { transaction: { from: owner, to, data, value: '0x0' }, signal })
  }
  onStep(calls.length)
  if (calls.length > 0 && (await readAllowance({ node, token, owner, spender })) < amount)
    throw new LatchkeyError('SWAP_REFUSED', {
      data: { reason: 'the approved allowance is too small' },
    })
  const call = await prepareAgain(parameters, shown)
  return { hash: await sendSwap(parameters, { ...shown, call }) }
}

const batchRefusals = ['UPGRADE_REJECTED', 'ATOMICITY_UNSUPPORTED', 'UNSUPPORTED_METHOD'] as const

/**
 * Signs the allowance, then swaps. No transaction is sent before the swap itself, so a rejected
 * signature costs nothing.
 */
async function signAndSwap(
  parameters: PlanSwapParameters,
  shown: ReviewedSwapCall,
): Promise<string> {
  const { wallet, node, network, account, from } = parameters
  const { amount, contracts, signal, onStep } = shown
  const owner = account.address
  const holder = { node, token: from.address ?? '', owner, chainId: Number(network.id) }
  onStep(0)
  const [permit, nowSeconds] = await Promise.all([readPermit(holder), readTime(parameters)])
  if (!permit) throw refuseSignature()
  assertWanted(signal)
  const terms = { ...permit, owner, spender: contracts.router, amount, nowSeconds }
  const signed = await signPermit(wallet, terms)
  onStep(1)
  const call = addPermit(await prepareAgain(parameters, shown), signed)
  return sendSwap(parameters, { ...shown, call }).catch((error: unknown) => {
    throw isError(error, 'SWAP_REFUSED') ? refuseSignature(error) : error
  })
}

async function sendApproval(
  { wallet, node, network, waitForTransaction }: PlanSwapParameters,
  { transaction, signal }: { transaction: WalletTransaction; signal: AbortSignal },
) {
  const [gas, rates] = await Promise.all([
    estimateTransactionGas(node, transaction),
    readFeeRates(node, network.id),
  ])
  assertWanted(signal)
  const chainId = toHex(BigInt(network.id))
  const fields = hexFields(rates.fields)
  const limit = toHex(addGasMargin(gas))
  const hash = await submit(wallet, { ...transaction, ...fields, gas: limit, chainId })
  const outcome = await waitForTransaction({ hash, chainId: network.caipNetworkId, signal })
  assertIncluded(outcome)
  if (outcome.status === 'reverted')
    throw new LatchkeyError('SWAP_REFUSED', { data: { reason: 'the token refused the allowance' } })
}

async function sendSwap(
  { wallet, node, network, account }: PlanSwapParameters,
  { call, feeWei, checksFee, signal }: ReviewedSwapCall,
) {
  const transaction = toTransaction(account.address, call)
  const [gas, rates] = await Promise.all([
    estimateSwap(node, transaction),
    readFeeRates(node, network.id),
  ])
  const l1FeeWei = await readL1Fee(node, {
    chainId: network.caipNetworkId,
    transactions: [{ ...call, gas }],
  })
  assertWanted(signal)
  const nowWei = getFee({ rates, gas, l1FeeWei }).maxFeeWei
  if (checksFee && isDearer(nowWei, feeWei)) throw new LatchkeyError('SWAP_PRICE_MOVED')
  const chainId = toHex(BigInt(network.id))
  const fields = hexFields(rates.fields)
  return submit(wallet, { ...transaction, ...fields, gas: toHex(gas), chainId })
}

/**
 * Whether the fee has risen by more than a quarter. Smaller changes happen with every block and
 * need no new review.
 */
const isDearer = (nowWei: bigint, shownWei: bigint) => nowWei * 4n > shownWei * 5n

/**
 * The swap as prepared now, or as reviewed if the current output still satisfies its minimum.
 * Throws SWAP_PRICE_MOVED.
 */
async function prepareAgain(
  parameters: PlanSwapParameters,
  { call, contracts }: ReviewedSwapCall,
): Promise<SwapCall> {
  const fresh = await prepareSwapCall(parameters, contracts)
  if (fresh.call.minimum >= call.minimum) return fresh.call
  const { deadlineSeconds } = call
  const hasExpired = deadlineSeconds !== undefined && deadlineSeconds < fresh.nowSeconds + 60n
  if (fresh.call.expected >= call.minimum && !hasExpired) return call
  throw new LatchkeyError('SWAP_PRICE_MOVED')
}

function assertWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new LatchkeyError('ABORTED')
}
