import type { OnrampQuote, PaymentMethod } from '@latchkey/wire'
import type { Asset } from './assets.ts'
import type { ProviderConfig } from './onrampConfig.ts'
import type { OrderReport, StoredOrder } from './orderStore.ts'

/**
 * The purchase to get a quote for, without any identity of the visitor. `amount` is a decimal
 * string.
 */
export type Purchase = {
  readonly asset: Asset
  readonly currency: string
  readonly method: PaymentMethod
  readonly amount: string
}

/**
 * Facts about the visitor who opens a checkout; each is passed on only if the provider accepts
 * it.
 */
type Visitor = {
  readonly clientIp: string
  /**
   * The amount of the token (a decimal string) if the client sends that in place of the payment.
   */
  readonly tokenAmount?: string | undefined
  /** The first view of the checkout. */
  readonly experience?: 'buy' | 'send' | undefined
}

/**
 * A provider that sells currencies. Its methods never throw: they return undefined if the provider
 * does not answer.
 */
export type OnrampProvider = {
  readonly id: string
  readonly config: ProviderConfig
  /** Whether it can send to the asset's network at all. */
  sells(asset: Asset): boolean
  quote(purchase: Purchase): Promise<OnrampQuote | undefined>
  /** The page on which the order is paid. */
  getCheckoutUrl(order: StoredOrder, visitor: Visitor): Promise<string | undefined>
  /**
   * Requests the state of the order, for a provider that does not report on its own: `none` if no
   * payment was tried.
   */
  readReport?(order: StoredOrder): Promise<OrderReport | 'none' | undefined>
}
