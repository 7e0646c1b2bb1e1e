import type { ApprovalRequest } from '../approvalRequest.ts'
import { describeTransactions } from './describeTransactions.ts'
import { getSolanaWarnings } from './getSolanaWarnings.ts'
import type { ReadTransaction } from './readTransaction.ts'
import type { Simulation } from './simulate.ts'

type Reading = {
  readonly before: readonly ReadTransaction[]
  readonly now: readonly ReadTransaction[]
}

/**
 * Whether transactions would do more now than when they were reviewed: take more, bring less, give another warning, or
 * read differently. Between review and approval, accounts can change so that the same bytes do something else.
 */
export function hasGrown(request: ApprovalRequest, { before, now }: Reading): boolean {
  const describe = (all: readonly ReadTransaction[]) =>
    JSON.stringify(describeTransactions(request, all.map(withoutSimulation), false))
  return (
    describe(before) !== describe(now) ||
    hasNewWarning(request, { before, now }) ||
    now.some((one, index) => takesMore(before[index]?.simulation, one.simulation))
  )
}

const nothing: Extract<Simulation, { status: 'done' }> = {
  status: 'done',
  lamports: 0n,
  tokens: new Map(),
  hasNewOwner: false,
  hasNewSpender: false,
}
const withoutSimulation = (one: ReadTransaction) => ({ ...one, simulation: nothing })

function hasNewWarning(request: ApprovalRequest, { before, now }: Reading): boolean {
  const texts = (all: readonly ReadTransaction[]) =>
    all.flatMap((one, index) =>
      getSolanaWarnings(request, one).map(({ text }) => `${index} ${text}`),
    )
  const known = texts(before)
  return texts(now).some((text) => !known.includes(text))
}

/** What cannot be tried out brings and takes nothing that is known; that it cannot is a warning. */
function takesMore(before: Simulation | undefined, now: Simulation): boolean {
  const was = before?.status === 'done' ? before : nothing
  const is = now.status === 'done' ? now : nothing
  const mints = new Set([...was.tokens.keys(), ...is.tokens.keys()])
  return (
    isLess(was.lamports, is.lamports) ||
    [...mints].some((mint) => isLess(was.tokens.get(mint) ?? 0n, is.tokens.get(mint) ?? 0n))
  )
}

/** Prices move: of what arrives, a hundredth may be missing. */
const isLess = (was: bigint, is: bigint) => is < (was > 0n ? was - was / 100n : was)
