import { LatchkeyError, type OnrampQuote, onrampQuoteRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { type BuySelection, parseCents } from './selectPurchase.ts'

/** A purchase that can be quoted and ordered. `amount` is a decimal string in the currency. */
export type Purchase = Pick<BuySelection, 'chainId' | 'token' | 'currency' | 'method'> & {
  readonly providerId: string
  readonly amount: string
}

/**
 * A quote for a purchase; `isEstimate` if the provider did not respond. Throws ANSWER_INVALID if
 * the answer is about another currency, token or amount, and the errors of `callRoute`.
 */
export async function getBuyQuote(
  app: App,
  { purchase, signal }: { purchase: Purchase; signal?: AbortSignal | undefined },
): Promise<OnrampQuote> {
  const { chainId, token, currency, method, providerId, amount } = purchase
  const quote = await callRoute(app, {
    route: onrampQuoteRoute,
    body: {
      purchaseCurrency: { symbol: token.symbol },
      paymentCurrency: { id: currency },
      network: chainId,
      paymentMethod: method,
      provider: providerId,
      amount,
    },
    signal,
  })
  const { coinbaseFee, networkFee, paymentTotal, purchaseAmount } = quote
  const paid = [networkFee, paymentTotal, ...(coinbaseFee ? [coinbaseFee] : [])]
  const isAsked =
    paid.every((one) => one.currency === currency && isDecimal(one.amount)) &&
    isAbout(paymentTotal.amount, amount) &&
    purchaseAmount.currency === token.symbol &&
    isDecimal(purchaseAmount.amount)
  if (!isAsked) throw new LatchkeyError('ANSWER_INVALID')
  return quote
}

/** In hundredths of the currency. A provider may round by a hundredth. */
const isAbout = (one: string, other: string) => Math.abs(parseCents(one) - parseCents(other)) <= 1

const isDecimal = (text: string) => /^\d{1,30}(\.\d{1,30})?$/.test(text)
