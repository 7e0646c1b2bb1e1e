import type { OnrampQuote, PaymentMethod } from '@latchkey/wire'
import type { Asset } from './assets.ts'
import type { ProviderConfig } from './onrampConfig.ts'
import type { OrderReport, StoredOrder } from './orderStore.ts'

/**
 * What a visitor wants to buy, without who they are: what a quote is asked for. `amount` is a
 * decimal string.
 */
export type Purchase = {
  readonly asset: Asset
  readonly currency: string
  readonly method: PaymentMethod
  readonly amount: string
}

/**
 * What is known of who opens a checkout; each part is passed on only where the provider takes it.
 */
type Visitor = {
  readonly clientIp: string
  /**
   * How much of the token, as a decimal string, where the client names that in place of the
   * payment.
   */
  readonly tokenAmount?: string | undefined
  /** What the checkout shows first. */
  readonly experience?: 'buy' | 'send' | undefined
}

/** Who sells. Nothing of it throws: a provider that does not answer is undefined. */
export type Provider = {
  readonly id: string
  readonly config: ProviderConfig
  /** Whether it can send to a network at all. */
  sells(asset: Asset): boolean
  quote(purchase: Purchase): Promise<OnrampQuote | undefined>
  /** The page on which the order is paid. */
  getCheckoutUrl(order: StoredOrder, visitor: Visitor): Promise<string | undefined>
  /**
   * Asks for the order, where the provider does not report by itself: `none` if nobody has tried to
   * pay it.
   */
  readReport?(order: StoredOrder): Promise<OrderReport | 'none' | undefined>
}
