import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import { solanaTexts as t } from '../../locales/solana.en.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { capitalize, joinPhrases } from '../formatAsset.ts'
import { formatSolanaAmount } from './formatAmount.ts'
import { getEffects, type SolanaAmount, type SolanaEffect } from './getEffects.ts'
import { getInstructionName } from './getSolanaWarnings.ts'
import type { DecodedTransaction } from './readTransaction.ts'

const a = approvals.approve
const maxNamed = 2

/**
 * All effects of transactions in one sentence: native currency always by its sum, tokens by amount
 * or number.
 */
export function formatTitle(
  { chain, accounts: { solana: own } }: Pick<ApprovalRequest, 'chain' | 'accounts'>,
  all: readonly DecodedTransaction[],
  isSent: boolean,
): string {
  const effects = all.flatMap((one) => one.effects)
  const accounts = new Map(all.flatMap((one) => [...one.accounts]))
  const of = <Kind extends SolanaEffect['kind']>(kind: Kind) =>
    effects.filter((one): one is Extract<SolanaEffect, { kind: Kind }> => one.kind === kind)
  const name = (amount: SolanaAmount) => formatSolanaAmount(amount, { chain, accounts })
  const phrase = (text: string, amounts: readonly SolanaAmount[]) =>
    amounts.length > 0 ? [fill(text, { what: listAmounts(amounts, name) })] : []
  const when = (kind: SolanaEffect['kind'], text: string) => (of(kind).length > 0 ? [text] : [])
  const amounts = (kind: 'send' | 'allow' | 'burn', isOwn?: boolean) =>
    of(kind)
      .filter((one) => isOwn === undefined || one.isOwn === isOwn)
      .map(({ amount }) => amount)
  const phrases = [
    ...when('lose', t.titleLose),
    ...phrase(a.titleSend, amounts('send', true)),
    ...phrase(a.titleAllow, amounts('allow')),
    ...when('control', t.titleControl),
    ...phrase(t.titleBurn, amounts('burn')),
    ...when('close', t.titleClose),
    ...phrase(a.titleMove, amounts('send', false)),
    ...when('revoke', a.titleRevoke),
    ...when('stake', t.titleStake),
    ...when('open', t.titleOpen),
    ...when('run', t.titleRun),
    ...nameOthers(all, own),
  ]
  const what = joinPhrases(phrases.length > 0 ? phrases : [t.titleNone])
  if (all.length > 1) return fill(t.titleMany, { count: all.length, what })
  if (phrases.length === 0 || isSent) return fill(a.titleAsk, { what: capitalize(what) })
  return fill(a.titleSigned, { what: capitalize(what) })
}

/**
 * The names of instructions that use the account's authority, or touch the user's accounts, with
 * other effects.
 */
function nameOthers(all: readonly DecodedTransaction[], own: string): string[] {
  const others = all.flatMap(({ instructions, accounts }) =>
    instructions.filter((one) => {
      const effects = getEffects(one, { own, accounts })
      const isUsed = one.roles.some(({ uses, address }) => uses && address === own)
      return (isUsed || effects.length > 0) && effects.every(({ kind }) => kind === 'touch')
    }),
  )
  const found = new Set(others.map(getInstructionName))
  return [...found].map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`)
}

function listAmounts(
  amounts: readonly SolanaAmount[],
  name: (amount: SolanaAmount) => string,
): string {
  const native = amounts.flatMap((one) =>
    one.unit === 'lamports' && one.value !== undefined ? one.value : [],
  )
  const sum = native.reduce((total, value) => total + value, 0n)
  const tokens = amounts.filter(({ unit }) => unit === 'tokens')
  const rest = amounts.some(({ unit, value }) => unit === 'lamports' && value === undefined)
  return joinPhrases([
    ...(native.length > 0 ? [name({ unit: 'lamports', value: sum })] : []),
    ...(rest ? [name({ unit: 'lamports', value: undefined })] : []),
    ...(tokens.length > maxNamed
      ? [fill(a.manyTokens, { count: tokens.length })]
      : tokens.map(name)),
  ])
}
