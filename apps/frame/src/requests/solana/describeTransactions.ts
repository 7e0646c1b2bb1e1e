import { bytesToHex } from '@latchkey/wire'
import type { ApprovalRow, ApprovalView } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import { solanaTexts as t } from '../../locales/solana.en.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../approvalRequest.ts'
import { checkSignIn } from '../checkSignIn.ts'
import { caution, unique } from '../warning.ts'
import { formatSolanaAmount, getMint, toAmount } from './formatAmount.ts'
import { formatTitle } from './formatTitle.ts'
import { createFormatWorth, type FormatWorth } from './formatWorth.ts'
import type { SolanaAmount, SolanaEffect } from './getEffects.ts'
import {
  getAuthorityText,
  getInstructionName,
  getSolanaWarnings,
  isKnownAddress,
  openWarnings,
  sumFees,
} from './getSolanaWarnings.ts'
import { describeSolanaInstruction } from './instructions/describeInstruction.ts'
import { mintRows } from './mintRows.ts'
import type { DecodedTransaction } from './readTransaction.ts'
import { sumOutflows } from './sumOutflows.ts'

const a = approvals.approve
type Group = ApprovalView['groups'][number]

/**
 * The view of transactions: first what leaves and who can take it, then each instruction. Several
 * transactions begin with their sum, followed by each transaction in turn.
 */
export function describeSolanaTransactions(
  request: ApprovalRequest,
  all: readonly DecodedTransaction[],
  isSent: boolean,
): PreparedApproval['view'] {
  const several = all.length > 1
  const fees = sumFees(request, all)
  const isEachAlone = several && all.some(({ simulation }) => simulation.status !== 'unavailable')
  const memos = all.flatMap(({ instructions }) =>
    instructions.flatMap(({ name, fields }) => (name === 'memo' ? String(fields.memo) : [])),
  )
  // If a wallet can only sign transactions, sites accept a sign-in in a memo.
  const signIns = memos.map((text) => checkSignIn(request, text))
  const warnings = [
    ...all.flatMap((one) => getSolanaWarnings(request, one)),
    ...fees.warnings,
    ...openWarnings(request, all),
    ...(isEachAlone ? [caution(t.warn.eachAlone)] : []),
    ...signIns.flatMap((one) => one.warnings),
  ]
  const unread = all.find(({ unreadTable }) => unreadTable !== undefined)?.unreadTable
  const blocked =
    unread !== undefined
      ? fill(t.block.lookup, { table: unread })
      : all.some(({ effects }) => effects.some(({ kind }) => kind === 'lose'))
        ? t.block.lost
        : isSent && all.some(({ isComplete }) => !isComplete)
          ? t.block.incomplete
          : signIns.flatMap((one) => one.blocked ?? [])[0]
  const transactions = all.map((one) => {
    const worth = createFormatWorth(request, [one])
    return {
      groups: [
        ...sortEffects(one.effects).map((effect) => createGroup(request, one, { effect, worth })),
        ...simulationGroup(request, one, worth),
      ],
      rows: one.instructions.map((instruction, at) => {
        const { name, tree } = describeSolanaInstruction(request.chain, instruction)
        return { label: `${at + 1}. ${name}`, tree }
      }),
    }
  })
  const only = several ? undefined : transactions[0]
  return {
    title: formatTitle(request, all, isSent),
    action: isSent ? a.actionSend : a.actionSign,
    groups: [...sumOutflows(request, all), ...(only?.groups ?? [])],
    warnings: unique(warnings),
    rows: only?.rows ?? [],
    ...(several && { transactions }),
    place: [
      ...(fees.fee === undefined ? [] : [{ label: a.fee, value: fees.fee }]),
      ...sponsorRows(request, all),
      ...placeRows(request),
    ],
    ...(blocked !== undefined && { blocked }),
  }
}

/** Effects that move assets or grant rights first, then the harmless ones. */
function sortEffects(effects: readonly SolanaEffect[]): SolanaEffect[] {
  const isHarmless = ({ kind }: SolanaEffect) => kind === 'open' || kind === 'revoke'
  return [...effects.filter((one) => !isHarmless(one)), ...effects.filter(isHarmless)]
}

function createGroup(
  request: ApprovalRequest,
  one: DecodedTransaction,
  { effect, worth }: { effect: SolanaEffect; worth: FormatWorth },
): Group {
  const own = request.accounts.solana
  const who = (label: string, address: string): ApprovalRow => ({
    label,
    address,
    isNew: !isKnownAddress(request, address),
  })
  const amountRow = (amount: SolanaAmount): ApprovalRow => ({
    label: a.amount,
    value: formatSolanaAmount(amount, { chain: request.chain, accounts: one.accounts }),
  })
  const worthRow = (amount: SolanaAmount) => ({ ...amountRow(amount), worth: worth(amount) })
  const tokenRows = (amount: SolanaAmount) => mintRows(getMint(amount, one.accounts), one.claims)
  const fromRows = (from: string): ApprovalRow[] =>
    from === own ? [] : [{ label: a.from, address: from }]
  switch (effect.kind) {
    case 'send':
      return {
        label: effect.isOwn ? a.leaves : a.moves,
        rows: [
          worthRow(effect.amount),
          ...receiverRows(one, effect.to, who),
          ...fromRows(effect.from),
          ...tokenRows(effect.amount),
        ],
      }
    case 'allow':
      return {
        label: a.allows,
        rows: [
          amountRow(effect.amount),
          who(a.spender, effect.spender),
          ...fromRows(effect.from),
          ...tokenRows(effect.amount),
        ],
      }
    case 'revoke':
      return { label: a.returns, rows: [{ label: t.tokenAccount, address: effect.from }] }
    case 'burn':
      return {
        label: t.burns,
        rows: [worthRow(effect.amount), ...fromRows(effect.from), ...tokenRows(effect.amount)],
      }
    case 'control':
      return {
        label: t.control,
        rows: [
          { label: t.right, value: getAuthorityText(effect.authority) },
          effect.to === undefined
            ? { label: t.newHolder, value: t.nobody }
            : who(t.newHolder, effect.to),
          { label: t.account, address: effect.account },
        ],
      }
    case 'lose':
      return {
        label: t.loses,
        rows: [
          { label: t.account, address: own },
          { label: t.call, value: getInstructionName(effect.instruction) },
        ],
      }
    case 'touch':
      return {
        label: t.touches,
        rows: [
          { label: t.call, value: getInstructionName(effect.instruction) },
          ...effect.touched.map((address) => ({ label: t.account, address })),
        ],
      }
    case 'stake':
      return {
        label: t.stakes,
        rows: [who(t.labels.vote, effect.to), { label: t.labels.stake, address: effect.account }],
      }
    case 'close':
      return {
        label: t.closes,
        rows: [{ label: t.account, address: effect.account }, who(t.rest, effect.to)],
      }
    case 'open':
      return {
        label: t.opens,
        rows: [who(t.owner, effect.owner), { label: t.tokenAccount, address: effect.account }],
      }
    case 'run': {
      const { program, data } = effect.instruction
      return {
        label: t.runs,
        rows: [who(t.program, program), { label: a.data, data: `0x${bytesToHex(data)}` }],
      }
    }
  }
}

/**
 * Shows the owner of a token account if it is proven; otherwise the account, with the owner as a
 * claim.
 */
function receiverRows(
  { tokenOwners }: DecodedTransaction,
  to: string,
  who: (label: string, address: string) => ApprovalRow,
): ApprovalRow[] {
  const found = tokenOwners.get(to)
  if (found?.isProven) return [who(a.to, found.owner), { label: t.tokenAccount, address: to }]
  return [who(a.to, to), ...(found ? [{ label: t.claimedOwner, address: found.owner }] : [])]
}

function simulationGroup(
  { chain }: ApprovalRequest,
  one: DecodedTransaction,
  worth: FormatWorth,
): Group[] {
  const { simulation, accounts } = one
  if (simulation.status !== 'done') return []
  const row = (value: bigint, mint?: string): ApprovalRow => {
    const amount = toAmount(value, mint)
    return {
      label: value < 0n ? a.simulation.leaves : a.simulation.arrives,
      value: formatSolanaAmount(amount, { chain, accounts }),
      worth: worth(amount),
    }
  }
  const rows = [
    ...(simulation.lamports === 0n ? [] : [row(simulation.lamports)]),
    ...[...simulation.tokens].map(([mint, value]) => row(value, mint)),
  ]
  return [
    { label: a.simulation.label, rows: rows.length > 0 ? rows : [{ label: a.simulation.nothing }] },
  ]
}

function sponsorRows({ accounts }: ApprovalRequest, all: readonly DecodedTransaction[]) {
  const sponsors = new Set(all.map(({ feePayer }) => feePayer))
  sponsors.delete(accounts.solana)
  return [...sponsors].map((address) => ({ label: t.feePayer, address }))
}
