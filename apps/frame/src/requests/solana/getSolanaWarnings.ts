import { findLookalike, formatUnits } from '@latchkey/wire'
import type { Warning } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import { solanaTexts } from '../../locales/solana.en.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { caution, danger, unlimited } from '../warning.ts'
import { formatSolanaAmount, getMint } from './formatAmount.ts'
import type { SolanaAmount, SolanaEffect } from './getEffects.ts'
import type { DecodedInstruction } from './instructions/decodeInstructions.ts'
import type { KnownProgram } from './programs.ts'
import type { DecodedTransaction } from './readTransaction.ts'

const t = solanaTexts.warn
const highFee = 10_000_000n

type SolanaWarningContext = Pick<ApprovalRequest, 'accounts' | 'known' | 'chain'>

/** Whether the account has interacted with an address before, or is that address. */
export const isKnownAddress = (
  { accounts, known }: SolanaWarningContext,
  address: string,
): boolean => address === accounts.solana || known.includes(address)

/** The label of a right that an instruction gives away. */
export const getAuthorityText = (authority: string): string => {
  const texts: Readonly<Record<string, string>> = solanaTexts.authorities
  return texts[authority] ?? solanaTexts.authorities.other
}

/** The label of an instruction. */
export const getInstructionName = ({ name }: DecodedInstruction): string => {
  const names: Readonly<Record<string, string>> = solanaTexts.names
  return name === undefined ? solanaTexts.unread : (names[name] ?? name)
}

/** The warnings for a transaction. No network response can remove a warning. */
export function getSolanaWarnings(
  context: SolanaWarningContext,
  one: DecodedTransaction,
): Warning[] {
  const isSponsored = one.feePayer !== context.accounts.solana
  return [
    ...one.effects.flatMap((effect) => effectWarnings(context, one, effect)),
    ...(one.isDurable ? [danger(t.nonce)] : []),
    ...simulationWarnings(one),
    ...(one.hasLookups ? [caution(t.lookups)] : []),
    ...(isSponsored ? [caution(t.sponsored)] : []),
    ...(!isSponsored && !one.isComplete ? [caution(t.otherSigners)] : []),
  ]
}

/** The fee that the account pays for all transactions together, and a warning if it is high. */
export function sumFees(
  { chain, accounts }: SolanaWarningContext,
  all: readonly DecodedTransaction[],
): { fee: string | undefined; warnings: Warning[] } {
  const own = all.filter(({ feePayer }) => feePayer === accounts.solana)
  if (own.length === 0) return { fee: undefined, warnings: [] }
  const sum = own.reduce((total, one) => total + one.fee, 0n)
  const fee = `${formatUnits(sum, chain.decimals)} ${chain.symbol}`
  return { fee, warnings: sum >= highFee ? [danger(fill(t.fee, { fee }))] : [] }
}

/**
 * The maximum cost of opening a token account, in lamports: the rent of all bytes that a token can
 * add to it.
 */
const accountCost = 2_300_000n

/**
 * A warning about token accounts that the wallet may pay for but others own: they can close the
 * accounts and keep the rent.
 */
export function openWarnings(
  { chain, accounts }: SolanaWarningContext,
  all: readonly DecodedTransaction[],
): Warning[] {
  const opened = all
    .flatMap(({ effects }) => effects)
    .filter((one) => one.kind === 'open' && one.owner !== accounts.solana)
  const cost = BigInt(opened.length) * accountCost
  const amount = `${formatUnits(cost, chain.decimals)} ${chain.symbol}`
  return cost >= highFee ? [danger(fill(t.openings, { count: opened.length, amount }))] : []
}

function simulationWarnings({ simulation }: DecodedTransaction): Warning[] {
  if (simulation.status === 'failed')
    return [danger(fill(approvals.warn.fails, { reason: simulation.reason }))]
  if (simulation.status === 'unavailable') return [caution(approvals.warn.unsimulated)]
  return [
    ...(simulation.losesWallet ? [unlimited(t.lost)] : []),
    ...(simulation.hasNewOwner ? [danger(t.newOwner)] : []),
    ...(simulation.hasNewSpender ? [danger(t.newSpender)] : []),
  ]
}

function effectWarnings(
  context: SolanaWarningContext,
  one: DecodedTransaction,
  effect: SolanaEffect,
): Warning[] {
  const { chain } = context
  switch (effect.kind) {
    case 'run': {
      const { known } = effect.instruction
      if (known === 'upgradeableLoader' || known === 'loader4') return [danger(t.loader)]
      if (known) return [(holdsAssets(known) ? unlimited : danger)(t.uninterpreted)]
      return [danger(effect.isSigned ? t.program : t.unsignedProgram)]
    }
    case 'lose':
      return [unlimited(t.lost)]
    case 'touch':
      return [
        danger(fill(t.touched, { name: getInstructionName(effect.instruction) })),
        ...(runsHook(effect.instruction) && effect.touched.includes(context.accounts.solana)
          ? [unlimited(t.hook)]
          : []),
      ]
    case 'stake':
      return strangers(context, effect.to, t.newValidator)
    case 'open':
      return strangers(context, effect.owner, approvals.warn.firstTime)
    case 'control':
      return [
        unlimited(fill(t.control, { right: getAuthorityText(effect.authority) })),
        ...(effect.to === undefined ? [] : lookalikes(context, effect.to)),
      ]
    case 'allow':
      return [
        (isCounted(effect.amount) ? danger : unlimited)(
          fill(t.allowance, {
            amount: formatSolanaAmount(effect.amount, { chain, accounts: one.accounts }),
          }),
        ),
        ...strangers(context, effect.spender, approvals.warn.newSpender),
      ]
    case 'close':
      return [danger(fill(t.close, { to: effect.to }))]
    case 'burn':
      return [danger(t.burn), ...hiddenWarnings(effect)]
    case 'send':
      return effect.isOwn ? [...hiddenWarnings(effect), ...sendWarnings(context, one, effect)] : []
    default:
      return []
  }
}

/**
 * Programs through which an account gives away its assets: a call that cannot be decoded may do so
 * without a limit.
 */
const holdsAssets = (known: KnownProgram) =>
  ['system', 'token', 'token2022', 'associatedToken', 'stake'].includes(known)

/**
 * Whether a program that the token's issuer chose can run, and can get signatures of accounts
 * behind the authority.
 */
const runsHook = ({ known, name = '' }: DecodedInstruction) =>
  known === 'token2022' && name.startsWith('transfer')

const hiddenWarnings = ({ amount }: { amount: SolanaAmount }): Warning[] =>
  amount.unit === 'tokens' && amount.value === undefined ? [danger(t.hidden)] : []

function sendWarnings(
  context: SolanaWarningContext,
  { accounts, tokenOwners }: DecodedTransaction,
  { amount, to }: Extract<SolanaEffect, { kind: 'send' }>,
): Warning[] {
  const owner = tokenOwners.get(to)
  const receiver = owner?.isProven ? owner.owner : to
  const stranger = strangers(context, receiver, approvals.warn.firstTime)
  if (amount.unit === 'lamports') return stranger
  return [
    ...stranger,
    ...(getMint(amount, accounts) === undefined ? [caution(approvals.warn.tokenUnknown)] : []),
    ...(amount.mint === undefined ? [caution(t.plainTransfer)] : []),
    ...(owner === undefined ? [caution(t.ownerUnknown)] : []),
    ...(owner && !owner.isProven ? [caution(t.ownerClaimed)] : []),
  ]
}

function strangers(context: SolanaWarningContext, address: string, text: string): Warning[] {
  if (isKnownAddress(context, address)) return []
  const similar = lookalikes(context, address)
  return similar.length > 0 ? similar : [caution(text)]
}

function lookalikes({ known, accounts }: SolanaWarningContext, address: string): Warning[] {
  const other = findLookalike(address, [...known, accounts.solana])
  return other === undefined ? [] : [danger(fill(approvals.warn.findLookalike, { known: other }))]
}

/** Whether an allowance has a limit: half of the maximum supply counts as unlimited. */
const isCounted = ({ value }: SolanaAmount) => value !== undefined && value < 2n ** 63n
