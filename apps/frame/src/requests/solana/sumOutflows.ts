import type { ApprovalRow, ApprovalView } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import { solanaTexts as t } from '../../locales/solana.en.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { formatSolanaAmount, getMint, toAmount } from './formatAmount.ts'
import { createFormatWorth } from './formatWorth.ts'
import type { SolanaAmount } from './getEffects.ts'
import { mintRows } from './mintRows.ts'
import { parseDecimals } from './readAccounts.ts'
import type { DecodedTransaction } from './readTransaction.ts'

const a = approvals.approve

/**
 * The assets that leave through several transactions together: first decoded, then simulated. Empty
 * for a single transaction.
 */
export function sumOutflows(
  { chain }: Pick<ApprovalRequest, 'chain'>,
  all: readonly DecodedTransaction[],
): ApprovalView['groups'] {
  if (all.length < 2) return []
  const accounts = new Map(all.flatMap((one) => [...one.accounts]))
  const names = new Map(all.flatMap(({ claims }) => [...claims.names]))
  const worth = createFormatWorth({ chain }, all)
  const row = (label: string, amount: SolanaAmount): ApprovalRow => ({
    label,
    value: formatSolanaAmount(amount, { chain, accounts }),
    worth: worth(amount),
  })
  const show = (amount: SolanaAmount): ApprovalRow[] => [
    row(a.amount, amount),
    ...mintRows(getMint(amount, accounts), { names }),
  ]
  const expected = all.flatMap(({ simulation }) =>
    simulation.status === 'done' ? [simulation] : [],
  )
  const lamports = expected.reduce((sum, one) => sum + smaller(one.lamports, 0n), 0n)
  const tokens = new Map<string, bigint>()
  for (const [mint, value] of expected.flatMap((one) => [...one.tokens]))
    tokens.set(mint, (tokens.get(mint) ?? 0n) + smaller(value, 0n))
  const outflows = [
    ...(lamports < 0n ? [toAmount(lamports)] : []),
    ...[...tokens].flatMap(([mint, value]) => (value < 0n ? [toAmount(value, mint)] : [])),
  ]
  const leaving = sumAmounts(all, accounts).flatMap(show)
  return [
    {
      label: fill(t.together, { count: all.length }),
      rows: leaving.length > 0 ? leaving : [{ label: a.simulation.nothing }],
    },
    ...(outflows.length > 0
      ? [
          {
            label: t.togetherSimulated,
            rows: outflows.map((amount) => row(a.simulation.leaves, amount)),
          },
        ]
      : []),
  ]
}

/** Sums the amounts that are sent or burned with the account's authority, per asset. */
function sumAmounts(all: readonly DecodedTransaction[], accounts: DecodedTransaction['accounts']) {
  const sums = new Map<string, SolanaAmount>()
  for (const effect of all.flatMap(({ effects }) => effects)) {
    if ((effect.kind !== 'send' && effect.kind !== 'burn') || !effect.isOwn) continue
    const { amount } = effect
    const key = getAssetKey(amount, accounts)
    const before = sums.get(key)
    const isCounted = before?.value !== undefined && amount.value !== undefined
    sums.set(key, isCounted ? { ...before, value: before.value + amount.value } : amount)
  }
  return [...sums.values()]
}

/**
 * Amounts with different claimed decimals are not added: the transaction with the wrong ones may
 * fail.
 */
function getAssetKey(amount: SolanaAmount, accounts: DecodedTransaction['accounts']): string {
  if (amount.unit === 'lamports') return String(amount.value === undefined)
  const mint = getMint(amount, accounts)
  return [
    amount.value === undefined,
    mint ?? amount.account,
    amount.decimals ?? parseDecimals(accounts.get(mint ?? '')),
  ].join()
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
