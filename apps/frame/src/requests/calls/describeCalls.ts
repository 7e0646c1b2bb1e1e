import type { ApprovalView } from '../../approval/approvalView.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { type Counterparties, getCounterparties } from '../counterparties.ts'
import { type Described, describeEffects } from '../describeEffects.ts'
import type { Effect } from '../effect.ts'
import { readCall } from '../evm/readCall.ts'
import type { BatchCall } from './batchCall.ts'

/**
 * What the bytes of a batch say. `groups`: those of `described`, numbered by their call where there
 * are several.
 */
export type DescribedCalls = {
  readonly effects: readonly Effect[]
  readonly described: Described
  readonly groups: ApprovalView['groups']
  readonly counterparties: Counterparties
}

/**
 * Reads the calls of a batch by their bytes alone. `asked`: the only allowance that the page asks
 * for, where it may be lowered.
 */
export async function describeCalls(
  request: ApprovalRequest,
  calls: readonly BatchCall[],
  asked?: bigint,
): Promise<DescribedCalls> {
  const account = request.accounts.eip155
  const each = calls.map((call) => readCall(call, account))
  const effects = each.flat()
  const described = await describeEffects({ ...request, account, asked }, effects, false)
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

/** A text that belongs to one of several calls. */
export const numberLabel = (
  label: string,
  { number, total }: { readonly number: number; readonly total: number },
): string => (total === 1 ? label : fill(t.numbered, { number, total, label }))
