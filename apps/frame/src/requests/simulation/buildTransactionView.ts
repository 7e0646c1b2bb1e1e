import type { Warning } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../approvalRequest.ts'
import type { Described } from '../describeEffects.ts'
import { caution, danger, unique } from '../warning.ts'
import type { DescribedSimulation } from './describeSimulation.ts'

type TransactionViewParameters = {
  readonly described: Described
  readonly simulated: DescribedSimulation
  /** The formatted network fee. */
  readonly fee: string
  readonly isFeeHigh: boolean
  /** Whether each call with data has a contract to receive it. */
  readonly hasContracts: boolean
  /** Warnings to show first. */
  readonly warnings?: readonly Warning[]
}

/** Builds the view of transactions that the account itself sends and pays for. */
export const buildTransactionView = (
  request: ApprovalRequest,
  { described, simulated, fee, isFeeHigh, hasContracts, warnings = [] }: TransactionViewParameters,
): PreparedApproval['view'] => ({
  ...described,
  groups: simulated.groups,
  rows: [],
  place: [...simulated.place, { label: approvals.approve.fee, value: fee }, ...placeRows(request)],
  warnings: unique([
    ...warnings,
    ...described.warnings,
    ...(hasContracts ? [] : [danger(approvals.warn.noContract)]),
    ...simulated.warnings,
    ...(isFeeHigh ? [caution(approvals.warn.feeHigh)] : []),
  ]),
})
