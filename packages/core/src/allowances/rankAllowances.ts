import type { Allowance, Balance } from '@latchkey/wire'
import { sumDollars } from '../account/formatDollars.ts'
import { toSmallestUnit } from '../units.ts'

/** An allowance, and how much its spender can take now. */
export type AllowanceRisk = {
  readonly allowance: Allowance
  /**
   * The part of the balance that the spender can take; `unknown` without the balance or the limit.
   * For an NFT, and for all NFTs of a contract, it is `all`.
   */
  readonly takes: 'all' | 'part' | 'nothing' | 'expired' | 'unknown'
  /**
   * How much the spender can take, at most if the balance is unknown: a decimal string in whole
   * tokens. Undefined for NFTs, for nothing, and if the limit is unknown too.
   */
  readonly amount: string | undefined
  /** The amount in dollars, undefined without a known price or balance. */
  readonly dollars: number | undefined
  /** The whole balance in dollars, undefined like `dollars`. */
  readonly balanceDollars: number | undefined
  /** Whether the allowance has no limit and last changed more than 90 days ago. */
  readonly isOld: boolean
}

const oldMs = 90 * 24 * 3600 * 1000
/** The server gives no amounts of tokens with more decimals. */
const maxDecimals = 36

/**
 * Allowances by risk: first those without a limit to unknown spenders, then by dollars, then by
 * age, oldest first. Allowances that can take nothing now are at the end, expired ones last.
 * `balances` are the account's, with the prices of its tokens.
 */
export function rankAllowances(
  allowances: readonly Allowance[],
  { balances, nowMs }: { balances: readonly Balance[]; nowMs: number },
): AllowanceRisk[] {
  const prices = new Map(balances.map(({ address, price }) => [address?.toLowerCase(), price]))
  return allowances
    .map((one) => toRisk(one, { price: prices.get(one.token.address.toLowerCase()), nowMs }))
    .sort(compareRisks)
}

/**
 * How much the spenders can take together, in dollars: at most the whole balance of a token, even
 * if several may take it. `isComplete`: all that they can take has a known value. `spenders`: how
 * many can take something now.
 */
export function sumRisks(risks: readonly AllowanceRisk[]): {
  dollars: number
  isComplete: boolean
  spenders: number
} {
  const active = risks.filter(({ takes }) => takes !== 'nothing' && takes !== 'expired')
  const byToken = new Map<string, number>()
  for (const { allowance, dollars, balanceDollars = 0 } of active) {
    if (dollars === undefined) continue
    const { address } = allowance.token
    byToken.set(address, Math.min((byToken.get(address) ?? 0) + dollars, balanceDollars))
  }
  return {
    dollars: sumDollars([...byToken.values()]) ?? 0,
    isComplete: active.every(({ dollars }) => dollars !== undefined),
    spenders: new Set(active.map(({ allowance }) => allowance.spender.toLowerCase())).size,
  }
}

function toRisk(
  allowance: Allowance,
  { price, nowMs }: { price: number | undefined; nowMs: number },
): AllowanceRisk {
  const { balance, changedAt } = allowance
  const { takes, amount } = getTakes(allowance, nowMs)
  const toDollars = (quantity: string | undefined) =>
    quantity === undefined || balance === undefined || price === undefined
      ? undefined
      : Number(quantity) * price
  const isNothing = takes === 'nothing' || takes === 'expired'
  return {
    allowance,
    takes,
    amount,
    dollars: isNothing ? 0 : toDollars(amount),
    balanceDollars: toDollars(balance),
    isOld: hasNoLimit(allowance) && nowMs - Date.parse(changedAt) > oldMs,
  }
}

function getTakes(
  { kind, amount, balance, isUnlimited, expiresAt }: Allowance,
  nowMs: number,
): Pick<AllowanceRisk, 'takes' | 'amount'> {
  if (expiresAt !== null && Date.parse(expiresAt) < nowMs)
    return { takes: 'expired', amount: undefined }
  if (kind === 'erc721' || kind === 'operator') return { takes: 'all', amount: undefined }
  const limit = isUnlimited ? undefined : (amount ?? undefined)
  if (balance === undefined) return { takes: 'unknown', amount: limit }
  if (toUnits(balance) === 0n) return { takes: 'nothing', amount: undefined }
  if (isUnlimited) return { takes: 'all', amount: balance }
  if (limit === undefined) return { takes: 'unknown', amount: undefined }
  return toUnits(limit) < toUnits(balance)
    ? { takes: 'part', amount: limit }
    : { takes: 'all', amount: balance }
}

const toUnits = (quantity: string) => toSmallestUnit(quantity, maxDecimals)

const hasNoLimit = ({ kind, isUnlimited }: Allowance) => isUnlimited || kind === 'operator'

const compareRisks = (one: AllowanceRisk, other: AllowanceRisk): number =>
  getRank(one) - getRank(other) ||
  (other.dollars ?? -1) - (one.dollars ?? -1) ||
  Date.parse(one.allowance.changedAt) - Date.parse(other.allowance.changedAt)

function getRank({ allowance, takes }: AllowanceRisk): number {
  if (takes === 'expired') return 3
  if (takes === 'nothing') return 2
  return hasNoLimit(allowance) && allowance.spenderName === null ? 0 : 1
}
