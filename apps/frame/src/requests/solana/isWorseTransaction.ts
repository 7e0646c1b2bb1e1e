import type { ApprovalRequest } from '../approvalRequest.ts'
import { takesMore } from '../simulation/takesMore.ts'
import { describeSolanaTransactions } from './describeTransactions.ts'
import { getSolanaWarnings } from './getSolanaWarnings.ts'
import type { DecodedTransaction } from './readTransaction.ts'
import type { SolanaSimulation } from './simulate.ts'

type Comparison = {
  readonly before: readonly DecodedTransaction[]
  readonly now: readonly DecodedTransaction[]
}

/**
 * Whether transactions would do more now than when they were reviewed: take more, bring less, cause
 * another warning, or decode differently. Between review and approval, accounts can change so that
 * the same bytes do something else.
 */
export function isWorseTransaction(request: ApprovalRequest, { before, now }: Comparison): boolean {
  const describe = (all: readonly DecodedTransaction[]) =>
    JSON.stringify(describeSolanaTransactions(request, all.map(withoutSimulation), false))
  return (
    describe(before) !== describe(now) ||
    hasNewWarning(request, { before, now }) ||
    now.some((one, index) =>
      takesMore(getAmounts(before[index]?.simulation), getAmounts(one.simulation)),
    )
  )
}

const nothing: Extract<SolanaSimulation, { status: 'done' }> = {
  status: 'done',
  lamports: 0n,
  tokens: new Map(),
  losesWallet: false,
  hasNewOwner: false,
  hasNewSpender: false,
}
const withoutSimulation = (one: DecodedTransaction): DecodedTransaction => ({
  ...one,
  simulation: nothing,
  // Prices change during the review, and are not what the user approves.
  claims: { ...one.claims, prices: new Map() },
})

function hasNewWarning(request: ApprovalRequest, { before, now }: Comparison): boolean {
  const texts = (all: readonly DecodedTransaction[]) =>
    all.flatMap((one, index) =>
      getSolanaWarnings(request, one).map(({ text }) => `${index} ${text}`),
    )
  const known = texts(before)
  return texts(now).some((text) => !known.includes(text))
}

/** If a transaction cannot be simulated, no changes are known; a warning states that. */
const getAmounts = (simulation: SolanaSimulation | undefined) => {
  const { lamports, tokens } = simulation?.status === 'done' ? simulation : nothing
  return new Map([['lamports', lamports], ...tokens])
}
