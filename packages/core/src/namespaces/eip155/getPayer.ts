import type { BatchCall, IsFeePaid } from '../batchCalls.ts'
import type { Plan } from '../transferPlan.ts'

/**
 * The payer of calls that are sent as one, or one after another: the sponsor only if it would pay
 * for all of them. `gas`: the gas limit of all calls together.
 */
export async function getPayer(
  isFeePaid: IsFeePaid | undefined,
  sent: { readonly calls: readonly BatchCall[]; readonly isBatch: boolean; readonly gas: bigint },
): Promise<Plan['fee']['payer']> {
  const { calls, isBatch, gas } = sent
  if (!isFeePaid || calls.length === 0) return 'account'
  const operations = isBatch ? [calls] : calls.map((one) => [one])
  const paid = await Promise.all(operations.map((one) => isFeePaid({ calls: one, gas })))
  return paid.every(Boolean) ? 'sponsor' : 'account'
}
