import type { ApprovalView } from '../../approval/approvalView.ts'
import type { Described } from '../describeEffects.ts'
import type { EvmSimulation } from './simulate.ts'
import { takesMore } from './takesMore.ts'

/** A request under review. `described`: its decoded calldata, without the simulation. */
type Reviewed = {
  readonly described: Described
  readonly simulation: EvmSimulation
  readonly view: Pick<ApprovalView, 'warnings'>
}

/**
 * Whether calls would do more now than when they were reviewed: take more, bring less, allow more,
 * or cause a new warning. Between review and approval, a contract can change so that the same bytes
 * do something else.
 */
export function isWorse(before: Reviewed, now: Reviewed): boolean {
  const known = before.view.warnings.map(({ text }) => text)
  const words = ({ described: { title, groups } }: Reviewed) => JSON.stringify([title, groups])
  return (
    words(before) !== words(now) ||
    now.view.warnings.some(({ text }) => !known.includes(text)) ||
    takesMore(getAmounts(before), getAmounts(now)) ||
    takesMore(getAllowed(before), getAllowed(now))
  )
}

const getAmounts = ({ simulation }: Reviewed) =>
  new Map(simulation.changes.map(({ key, amount }) => [key, amount]))

/** Allowances count like assets that leave. */
const getAllowed = ({ simulation }: Reviewed) =>
  new Map(simulation.allowances.map(({ key, asset }) => [key, -(asset?.amount ?? 1n)]))
