import { type Balance, type ChainId, formatUnits } from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import { priceNumber } from '../prices/price.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { fiatValue } from './fiatValue.ts'
import type { Holding } from './holding.ts'
import { type BalanceQuery, forcedKey } from './parseBalanceQuery.ts'

type Row = { readonly chainId: ChainId; readonly holding: Holding }

export function isShown(
  { chainId, holding }: Row,
  { forced, oneChain }: Pick<BalanceQuery, 'forced' | 'oneChain'>,
): boolean {
  if (holding.decimals === 0) return false
  if (holding.amount > 0n || (oneChain && holding.address === undefined)) return true
  return forced.size > 0 && forced.has(forcedKey(`${chainId}:${holding.address ?? nativeAddress}`))
}

type Format = Pick<BalanceQuery, 'currency' | 'forced'> & { readonly getTokenIcon: GetTokenIcon }

export function toBalance(
  { chainId, holding }: Row,
  { currency, forced, getTokenIcon }: Format,
): BalanceJson {
  const { name, symbol, decimals, address, amount } = holding
  // Prices are in dollars; there is no reliable source for other currencies here.
  const quote = currency === 'usd' ? holding.quote : undefined
  const value = fiatValue({ amount, decimals, price: quote?.price })
  const id = address && `${chainId}:${address}`
  // Spread syntax would take longer than everything else; JSON omits undefined fields.
  return {
    name,
    symbol,
    chainId,
    address: id && (forced.size === 0 ? id : (forced.get(forcedKey(id)) ?? id)),
    value,
    price: quote && priceNumber(quote.price),
    priceUpdatedAt: quote && new Date(quote.seenAtMs).toISOString(),
    priceChange: quote?.change,
    quantity: { decimals: String(decimals), numeric: formatUnits(amount, decimals) },
    iconUrl: symbol === undefined ? '' : getTokenIcon(symbol),
  }
}

/** A balance before it becomes JSON, which omits undefined fields. */
type BalanceJson = { readonly [Name in keyof Balance]: Balance[Name] | undefined }

export type Sortable = { readonly native: boolean; readonly balance: BalanceJson }

export const compare = (a: Sortable, b: Sortable): number =>
  Number(b.native) - Number(a.native) ||
  (b.balance.value ?? -1) - (a.balance.value ?? -1) ||
  (a.balance.symbol ?? '').localeCompare(b.balance.symbol ?? '')
