import { randomUUID } from 'node:crypto'
import { onrampQuoteRoute } from '@latchkey/wire'
import * as z from 'zod'
import type { Services } from '../services.ts'
import { fillTemplate } from './fillTemplate.ts'
import type { CheckoutConfig } from './onrampConfig.ts'
import type { OnrampProvider } from './provider.ts'
import { decimal, requestProvider } from './requestProvider.ts'
import { decodeSecret, signWebhook } from './webhookSignature.ts'

const price = z.object({ amount: decimal, currency: z.string().max(16) })
const quoteAnswer = z.object({
  fee: price,
  networkFee: price,
  paymentSubtotal: price,
  paymentTotal: price,
  purchaseAmount: price,
  quoteId: z.string().min(1).max(100),
})

/**
 * A checkout that a provider hosts: its URL is a template, signed requests get its quotes, and it
 * reports orders by webhooks. One secret signs all of them.
 */
export function createHostedCheckout(
  services: Pick<Services, 'log' | 'clock'>,
  id: string,
  config: CheckoutConfig,
): OnrampProvider {
  const secret = decodeSecret(config.webhookSecret) ?? Buffer.alloc(0)
  return {
    id,
    config,
    sells: () => true,
    async quote({ asset, currency, method, amount }) {
      if (config.quoteUrl === undefined) return undefined
      const body = JSON.stringify({
        chainId: asset.chainId,
        asset: asset.asset,
        symbol: asset.symbol,
        currency,
        method,
        amount,
      })
      const signed = {
        id: `quote_${randomUUID()}`,
        timestamp: String(Math.floor(services.clock() / 1000)),
      }
      const answer = await requestProvider(
        services,
        {
          provider: id,
          subject: 'quote',
          url: new URL(config.quoteUrl),
          headers: {
            'webhook-id': signed.id,
            'webhook-timestamp': signed.timestamp,
            'webhook-signature': signWebhook(secret, { ...signed, body }),
          },
          body,
        },
        quoteAnswer,
      )
      // A quote in another currency or for another token would be shown under the wrong name.
      const isAnswer =
        answer?.paymentTotal.currency === currency &&
        answer.purchaseAmount.currency === asset.symbol
      if (!isAnswer) return undefined
      const { fee, ...quote } = answer
      return onrampQuoteRoute.result.parse({ ...quote, coinbaseFee: fee })
    },
    async getCheckoutUrl(order) {
      const values = {
        orderId: order.id,
        address: order.address,
        chainId: order.asset.chainId,
        asset: order.asset.asset,
        symbol: order.asset.symbol,
        currency: order.paymentCurrency,
        amount: order.paymentAmount ?? '',
        method: order.paymentMethod,
      }
      const filled = fillTemplate(config.url, values, secret)
      return 'url' in filled ? filled.url : undefined
    },
  }
}
