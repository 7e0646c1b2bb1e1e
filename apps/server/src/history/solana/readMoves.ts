import { wrappedSol } from '../../solana/address.ts'
import type { TokenBalance, Transaction } from './transactionResult.ts'

/**
 * A transfer of a transaction, for an account. `mint` is absent for SOL, `other` if no single
 * account was on the other side.
 */
export type SolanaMove = {
  readonly direction: 'in' | 'out'
  readonly mint?: string | undefined
  readonly program?: string | undefined
  readonly decimals: number
  /** In base units, a positive number in decimal digits. */
  readonly amount: string
  readonly other?: string | undefined
}

const solDecimals = 9

/** A token account before and after the transaction. */
type TokenHolding = {
  readonly index: number
  readonly mint: string
  readonly owner: string | undefined
  readonly program: string | undefined
  readonly decimals: number
  readonly change: bigint
}

export function readHoldings({ meta }: Transaction): TokenHolding[] {
  const before = new Map((meta.preTokenBalances ?? []).map((one) => [one.accountIndex, one]))
  const after = new Map((meta.postTokenBalances ?? []).map((one) => [one.accountIndex, one]))
  return [...new Map([...before, ...after])].map(([index, { mint, owner, programId, ...one }]) => ({
    index,
    mint,
    owner: owner ?? before.get(index)?.owner,
    program: programId,
    decimals: one.uiTokenAmount.decimals,
    change: parseAmount(after.get(index)) - parseAmount(before.get(index)),
  }))
}

const parseAmount = (balance: TokenBalance | undefined) =>
  BigInt(balance?.uiTokenAmount.amount ?? 0)

type Context = { readonly owner: string; readonly holdings: readonly TokenHolding[] }

/**
 * SOL that came or went, without the fee. Wrapped SOL counts as SOL. Rent that the owner paid for
 * its own token account, or got back, does not count as moved.
 */
export function moveSol(data: Transaction, { owner, holdings }: Context): SolanaMove[] {
  const { meta } = data
  const keys = data.transaction.message.accountKeys
  const changes = keys.map(
    (_, index) =>
      (meta.postBalances[index] ?? 0n) -
      (meta.preBalances[index] ?? 0n) +
      (index === 0 ? BigInt(meta.fee) : 0n),
  )
  const own = holdings.filter((one) => one.owner === owner)
  const sum = (list: readonly TokenHolding[]) =>
    list.reduce((total, { index }) => total + (changes[index] ?? 0n), 0n)
  const wrapped = sum(own.filter(({ mint }) => mint === wrappedSol))
  const rent = sum(own.filter(({ mint }) => mint !== wrappedSol))
  const at = keys.findIndex(({ pubkey }) => pubkey === owner)
  const change = settleRent((changes[at] ?? 0n) + wrapped, rent)
  const ownIndexes = new Set([at, ...own.map(({ index }) => index)])
  const ownerAt = new Map(holdings.map((one) => [one.index, one.owner]))
  const others = changes.flatMap((other, index) =>
    ownIndexes.has(index)
      ? []
      : [{ address: ownerAt.get(index) ?? keys[index]?.pubkey, change: other }],
  )
  return toMove(change, others, { decimals: solDecimals })
}

/** Excludes rent of the account's own token accounts, whether paid or returned. */
function settleRent(change: bigint, rent: bigint): bigint {
  if (change < 0n && rent > 0n) return change + (rent < -change ? rent : -change)
  if (change > 0n && rent < 0n) return change + (-rent < change ? rent : -change)
  return change
}

export function moveTokens(holdings: readonly TokenHolding[], owner: string): SolanaMove[] {
  const mints = new Set(holdings.filter((one) => one.owner === owner).map(({ mint }) => mint))
  mints.delete(wrappedSol)
  return [...mints].flatMap((mint) => {
    const all = holdings.filter((one) => one.mint === mint)
    const own = all.filter((one) => one.owner === owner)
    const change = own.reduce((total, one) => total + one.change, 0n)
    const others = all
      .filter((one) => one.owner !== owner)
      .map((one) => ({ address: one.owner, change: one.change }))
    const { decimals = 0, program } = own[0] ?? {}
    return toMove(change, others, { mint, program, decimals })
  })
}

/** Transfers from an account that a failed transaction tried to make by plain instructions. */
export function readFailedMoves(
  { transaction: { message } }: Transaction,
  { owner, holdings }: Context,
): SolanaMove[] {
  return message.instructions.flatMap(({ programId, parsed }): SolanaMove[] => {
    if (!parsed?.info) return []
    const { source, destination, lamports, authority, mint, tokenAmount } = parsed.info
    const direction = 'out'
    if (parsed.type === 'transfer' && lamports && source === owner)
      return [{ direction, decimals: solDecimals, amount: String(lamports), other: destination }]
    if (parsed.type !== 'transferChecked' || !tokenAmount || authority !== owner) return []
    const { amount, decimals } = tokenAmount
    const at = message.accountKeys.findIndex(({ pubkey }) => pubkey === destination)
    const other = holdings.find(({ index }) => index === at)?.owner
    return [{ direction, mint, program: programId, decimals, amount, other }]
  })
}

type Side = { readonly address: string | undefined; readonly change: bigint }

/**
 * The other side of a change is the account with the opposite change; among several, the account
 * with the largest.
 */
function toMove(
  change: bigint,
  others: readonly Side[],
  asset: Pick<SolanaMove, 'mint' | 'program' | 'decimals'>,
): SolanaMove[] {
  if (change === 0n) return []
  const [most] = others
    .map((side) => ({ ...side, change: change > 0n ? -side.change : side.change }))
    .filter((side) => side.change > 0n)
    .sort((a, b) => (a.change < b.change ? 1 : -1))
  const amount = String(change < 0n ? -change : change)
  return [{ direction: change > 0n ? 'in' : 'out', ...asset, amount, other: most?.address }]
}
