import type { ApprovalView } from '../../approval/approvalView.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { type Counterparties, getCounterparties } from '../counterparties.ts'
import { type Described, describeEffects } from '../describeEffects.ts'
import type { Effect } from '../effect.ts'
import { readCall } from '../evm/readCall.ts'
import type { BatchedCall } from './batchCall.ts'

/**
 * The decoded calls of a batch. `groups`: the groups of `described`, numbered by call if the batch
 * has several calls.
 */
export type DescribedCalls = {
  readonly effects: readonly Effect[]
  readonly described: Described
  readonly groups: ApprovalView['groups']
  readonly counterparties: Counterparties
}

/**
 * Describes the calls of a batch from their calldata alone. `requestedAllowance`: the only
 * allowance that the page requests, if the user may lower it.
 */
export async function describeCalls(
  request: ApprovalRequest,
  calls: readonly BatchedCall[],
  requestedAllowance?: bigint,
): Promise<DescribedCalls> {
  const account = request.accounts.eip155
  const each = calls.map((call) => readCall(call, account))
  const effects = each.flat()
  const described = await describeEffects(
    { ...request, account, requestedAllowance },
    effects,
    false,
  )
  const numbers = each.flatMap((list, index) => list.map(() => index + 1))
  return {
    effects,
    described,
    groups: described.groups.map((group, index) => ({
      ...group,
      label: numberLabel(group.label, { number: numbers[index] ?? 0, total: calls.length }),
    })),
    counterparties: getCounterparties(
      effects,
      calls.map(({ to }) => to),
    ),
  }
}

/** Adds the number of a call to a label, if there are several calls. */
export const numberLabel = (
  label: string,
  { number, total }: { readonly number: number; readonly total: number },
): string => (total === 1 ? label : fill(t.numbered, { number, total, label }))
