import type { ApprovalRequest } from '../approvalRequest.ts'
import { formatUsd } from '../formatAsset.ts'
import { getMint, unlimitedAmount } from './formatAmount.ts'
import type { SolanaAmount } from './getEffects.ts'
import { parseDecimals } from './readAccounts.ts'
import type { DecodedTransaction } from './readTransaction.ts'

/** Formats the value of an amount in dollars, for display only. */
export type FormatWorth = (amount: SolanaAmount) => string | undefined

/**
 * Returns a function that formats the value of amounts in transactions by the operator's prices. It
 * returns undefined if there is no price, for possible items, for tokens without a name, and for
 * tokens that only our server identifies because the bytes do not: the card warns about these.
 */
export function createFormatWorth(
  { chain }: Pick<ApprovalRequest, 'chain'>,
  all: readonly DecodedTransaction[],
): FormatWorth {
  const accounts = new Map(all.flatMap((one) => [...one.accounts]))
  const names = new Map(all.flatMap(({ claims }) => [...claims.names]))
  const prices = new Map(all.flatMap(({ claims }) => [...claims.prices]))
  const unsure = all
    .flatMap(({ effects }) => effects)
    .flatMap((one) =>
      'amount' in one && one.amount.unit === 'tokens' && one.amount.mint === undefined
        ? getMint(one.amount, accounts)
        : [],
    )
  return (amount) => {
    const { value } = amount
    if (value === undefined) return undefined
    if (amount.unit === 'lamports') return formatUsd(value, chain.decimals, prices.get(null))
    const { mint } = amount
    if (mint === undefined || value === unlimitedAmount || unsure.includes(mint)) return undefined
    const decimals = parseDecimals(accounts.get(mint))
    if (!names.get(mint) || !decimals || decimals !== (amount.decimals ?? decimals))
      return undefined
    return formatUsd(value, decimals, prices.get(mint))
  }
}
