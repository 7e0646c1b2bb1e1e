import type { ApprovalRequest } from '../approvalRequest.ts'
import { formatDollars } from '../formatAsset.ts'
import { getMint, unlimited } from './formatAmount.ts'
import type { Amount } from './getEffects.ts'
import { parseDecimals } from './readAccounts.ts'
import type { ReadTransaction } from './readTransaction.ts'

/** What an amount is worth, for people to read only. */
export type FormatWorth = (amount: Amount) => string | undefined

/**
 * Says what amounts in transactions are worth by the operator's prices. Nothing where there is no
 * price, for what may be an item, and for a token without a name, or that the bytes leave to our
 * server to name: the card warns of these.
 */
export function createFormatWorth(
  { chain }: Pick<ApprovalRequest, 'chain'>,
  all: readonly ReadTransaction[],
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
    if (amount.unit === 'lamports') return formatDollars(value, chain.decimals, prices.get(null))
    const { mint } = amount
    if (mint === undefined || value === unlimited || unsure.includes(mint)) return undefined
    const decimals = parseDecimals(accounts.get(mint))
    if (!names.get(mint) || !decimals || decimals !== (amount.decimals ?? decimals))
      return undefined
    return formatDollars(value, decimals, prices.get(mint))
  }
}
