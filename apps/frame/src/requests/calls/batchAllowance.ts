import type { ApprovalRequest } from '../approvalRequest.ts'
import { findAllowance, lowerAllowance } from '../evm/lowerAllowance.ts'
import { readCall } from '../evm/readCall.ts'
import type { CallsBatch } from './parseCalls.ts'

/**
 * The only allowance of a batch: the index of its call, and the requested amount in smallest units.
 */
export type BatchAllowance = { readonly at: number; readonly requestedAllowance: bigint }

/**
 * Finds the allowance of a batch that the user may lower. Undefined unless the batch contains
 * exactly one. An allowance of 0 for the same token does not count, because some tokens require it
 * before another amount. For another token, 0 may be an item.
 */
export function findBatchAllowance(
  { accounts }: ApprovalRequest,
  { calls }: CallsBatch,
): BatchAllowance | undefined {
  const effects = calls.flatMap((call) => readCall(call, accounts.eip155))
  const allowances = effects.flatMap((one) => (one.kind === 'allow' ? one.asset : []))
  const given = allowances.filter(({ amount }) => amount > 0n)
  const tokens = new Set(allowances.map((one) => 'token' in one && one.token.toLowerCase()))
  if (given.length !== 1 || tokens.size > 1) return undefined
  const [found] = calls.flatMap((call, at) => {
    const requestedAllowance = findAllowance(call, { accounts })
    return requestedAllowance === undefined ? [] : [{ at, requestedAllowance }]
  })
  return found
}

/**
 * Returns the same batch with a smaller allowance. Throws INVALID_PARAMS if the amount is zero or
 * exceeds the requested amount.
 */
export function lowerBatchAllowance(
  batch: CallsBatch,
  { at, requestedAllowance }: BatchAllowance,
  amount: bigint,
): CallsBatch {
  const calls = batch.calls.map((call, index) =>
    index === at
      ? { ...call, data: lowerAllowance({ call, requestedAllowance }, amount).call.data }
      : call,
  )
  return { ...batch, calls }
}
