import { randomUUID } from 'node:crypto'
import { nativeAsset, type OnrampQuote } from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import { priceScale } from '../prices/price.ts'
import { formatUnits } from '../tokens/formatUnits.ts'
import type { ProviderConfig } from './onrampConfig.ts'
import type { Purchase } from './provider.ts'

/**
 * What a payment would buy at market prices, with the provider's highest fee. Undefined where there is no price: our prices are in
 * dollars, so only payments in dollars can be estimated.
 */
export async function estimateQuote(
  readPrices: ReadPrices,
  { asset, currency, amount }: Purchase,
  { feePercent }: Pick<ProviderConfig, 'feePercent'>,
): Promise<OnrampQuote | undefined> {
  if (currency !== 'USD') return undefined
  const token = asset.asset === nativeAsset ? nativeAddress : asset.asset
  const [quote] = await readPrices({ chainId: asset.chainId, tokens: [token] })
  if (quote === undefined || quote.price <= 0n) return undefined
  const cents = toCents(amount)
  // Rounded against the estimate: nobody should get less than they were shown.
  const fee = ceilDivide(cents * BigInt(Math.round(feePercent.max * 100)), 10_000n)
  const subtotal = cents - fee
  const units = (subtotal * priceScale * 10n ** BigInt(asset.decimals)) / (quote.price * 100n)
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

const ceilDivide = (a: bigint, b: bigint) => (a + b - 1n) / b

/** A decimal string with at most two decimals in hundredths. */
export function toCents(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0') || '0')
}

const toMoney = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
