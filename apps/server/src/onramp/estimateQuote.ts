import { randomUUID } from 'node:crypto'
import { type ChainId, formatUnits, nativeAsset, type OnrampQuote } from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import { type Price, priceScale } from '../prices/price.ts'
import { readEuroPrice } from '../prices/readEuroPrice.ts'
import type { ProviderConfig } from './onrampConfig.ts'
import type { Purchase } from './provider.ts'

type EstimateQuoteDeps = Parameters<typeof readEuroPrice>[0]

/**
 * Estimates the result of a payment at market prices, with the provider's highest fee. Undefined if
 * the token or the currency has no price.
 */
export async function estimateQuote(
  deps: EstimateQuoteDeps,
  { asset, currency, amount }: Purchase,
  { feePercent }: Pick<ProviderConfig, 'feePercent'>,
): Promise<OnrampQuote | undefined> {
  const paid = await readCurrencyPrice(deps, { currency, chainId: asset.chainId })
  if (paid === undefined) return undefined
  const token = asset.asset === nativeAsset ? nativeAddress : asset.asset
  const [quote] = await deps.readPrices({ chainId: asset.chainId, tokens: [token] })
  if (quote === undefined || quote.price <= 0n) return undefined
  const cents = toCents(amount)
  // Rounded against the estimate: no user should get less than the estimate showed.
  const fee = ceilDivide(cents * BigInt(Math.round(feePercent.max * 100)), 10_000n)
  const subtotal = cents - fee
  const units = (subtotal * paid * 10n ** BigInt(asset.decimals)) / (quote.price * 100n)
  const money = (value: bigint) => ({ amount: toMoney(value), currency })
  return {
    coinbaseFee: money(fee),
    networkFee: money(0n),
    paymentSubtotal: money(subtotal),
    paymentTotal: money(cents),
    purchaseAmount: { amount: formatUnits(units, asset.decimals), currency: asset.symbol },
    quoteId: `estimate-${randomUUID()}`,
    isEstimate: true,
  }
}

/** The price of one unit of the currency in dollars. */
async function readCurrencyPrice(
  deps: EstimateQuoteDeps,
  { currency, chainId }: { readonly currency: string; readonly chainId: ChainId },
): Promise<Price | undefined> {
  if (currency === 'USD') return priceScale
  return currency === 'EUR' ? readEuroPrice(deps, chainId) : undefined
}

const ceilDivide = (a: bigint, b: bigint) => (a + b - 1n) / b

/** A decimal string with at most two decimals in hundredths. */
export function toCents(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0') || '0')
}

const toMoney = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
