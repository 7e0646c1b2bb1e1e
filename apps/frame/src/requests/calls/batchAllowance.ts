import type { ApprovalRequest } from '../approvalRequest.ts'
import { findAllowance, lowerAllowance } from '../evm/lowerAllowance.ts'
import { readCall } from '../evm/readCall.ts'
import type { Batch } from './parseCalls.ts'

/**
 * The only allowance that a batch gives: its call, and the amount that the page asks for, in
 * smallest units.
 */
export type BatchAllowance = { readonly at: number; readonly asked: bigint }

/**
 * The allowance of a batch that the user may lower; undefined where it gives none, or several. One
 * of 0 of the same token gives none: some tokens want that before another amount. Of another token,
 * 0 may be an item.
 */
export function findBatchAllowance(
  { accounts }: ApprovalRequest,
  { calls }: Batch,
): BatchAllowance | undefined {
  const effects = calls.flatMap((call) => readCall(call, accounts.eip155))
  const allowances = effects.flatMap((one) => (one.kind === 'allow' ? one.asset : []))
  const given = allowances.filter(({ amount }) => amount > 0n)
  const tokens = new Set(allowances.map((one) => 'token' in one && one.token.toLowerCase()))
  if (given.length !== 1 || tokens.size > 1) return undefined
  const [found] = calls.flatMap((call, at) => {
    const asked = findAllowance(call, { accounts })
    return asked === undefined ? [] : [{ at, asked }]
  })
  return found
}

/**
 * The same batch with less. Throws INVALID_PARAMS for nothing, or for more than the page asks for.
 */
export function lowerBatchAllowance(
  batch: Batch,
  { at, asked }: BatchAllowance,
  amount: bigint,
): Batch {
  const calls = batch.calls.map((call, index) =>
    index === at ? { ...call, data: lowerAllowance({ call, asked }, amount).call.data } : call,
  )
  return { ...batch, calls }
}
