import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** Payment methods of a purchase: card, or bank account. The API defines these ids. */
export const paymentMethods = ['card', 'ach_bank_account'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** Stands for a network's own currency in place of a token's contract. */
export const nativeAsset = 'native'

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

/**
 * A network on which a currency can be bought. `chain_id` is the reference of its CAIP-2 id,
 * `chainId` the whole id.
 */
const purchaseNetwork = z.object({
  name: z.string(),
  display_name: z.string(),
  chain_id: z.string(),
  /** Empty for the network's own currency. */
  contract_address: z.string(),
  chainId: z.optional(z.string()),
})

const purchaseCurrency = z.object({
  id: z.string(),
  name: z.string(),
  symbol: z.string(),
  networks: z.array(purchaseNetwork),
})
export type PurchaseCurrency = z.infer<typeof purchaseCurrency>

/** The limits are decimal strings in the currency, `10.00`. */
const paymentCurrency = z.object({
  id: z.string(),
  payment_method_limits: z.array(z.object({ id: z.string(), min: z.string(), max: z.string() })),
})
export type PaymentCurrency = z.infer<typeof paymentCurrency>

/**
 * A provider. `feePercent` is the range of its fees; `assets` lists what it sells, as
 * `{CAIP-2}/{contract, or native}`.
 */
const onrampProvider = z.object({
  id: z.string(),
  name: z.string(),
  feePercent: z.object({ min: z.number(), max: z.number() }),
  assets: z.array(z.string()),
  currencies: z.array(z.string()),
  methods: z.array(z.string()),
})
export type OnrampProvider = z.infer<typeof onrampProvider>

/**
 * `GET /v1/onramp/options`: the currencies that can be bought, the payment methods and the
 * providers. Third-party servers send no `providers`.
 */
export const onrampOptionsRoute = {
  method: 'GET',
  path: '/v1/onramp/options',
  result: z.object({
    purchaseCurrencies: z.array(purchaseCurrency),
    paymentCurrencies: z.array(paymentCurrency),
    providers: z.optional(z.array(onrampProvider)),
  }),
} as const satisfies Route
export type OnrampOptions = z.infer<typeof onrampOptionsRoute.result>

const amount = z.object({ amount: z.string(), currency: z.string() })

/**
 * `POST /v1/onramp/quote`: how much a payment buys now. `network` is the name or CAIP-2 id of a
 * network of the currency; older clients send the currency's symbol. `coinbaseFee` is the fee of
 * any provider, not only Coinbase. `isEstimate`: the provider did not respond, and the server
 * computed the quote from market prices.
 */
export const onrampQuoteRoute = {
  method: 'POST',
  path: '/v1/onramp/quote',
  query: z.object({ projectId: z.string() }),
  body: z.object({
    purchaseCurrency: z.object({ symbol: text(32) }),
    paymentCurrency: z.object({ id: text(8) }),
    amount: text(32),
    network: text(80),
    paymentMethod: z.optional(z.enum(paymentMethods)),
    provider: z.optional(text(40)),
  }),
  result: z.object({
    coinbaseFee: z.optional(amount),
    networkFee: amount,
    paymentSubtotal: amount,
    paymentTotal: amount,
    purchaseAmount: amount,
    quoteId: z.string(),
    isEstimate: z.optional(z.boolean()),
  }),
} as const satisfies Route
export type OnrampQuote = z.infer<typeof onrampQuoteRoute.result>

const names = z.optional(z.array(text(80)).check(z.maxLength(50)))

/**
 * `POST /v1/generators/onrampurl`: the URL of a provider's checkout, for the user to open. The
 * provider does not receive the account before this. Our own fields follow `handlingRequestedUrls`:
 * the provider and the payment. `orderId` is secret: anyone who has it can track the order.
 */
export const onrampUrlRoute = {
  method: 'POST',
  path: '/v1/generators/onrampurl',
  query: z.object({ projectId: z.string() }),
  body: z.object({
    destinationWallets: z
      .array(
        z.object({
          address: text(128),
          blockchains: names,
          assets: names,
          supported_networks: names,
        }),
      )
      .check(z.minLength(1), z.maxLength(20)),
    partnerUserId: z.optional(z.string().check(z.maxLength(200))),
    defaultNetwork: z.optional(text(80)),
    defaultExperience: z.optional(z.enum(['buy', 'send'])),
    presetCryptoAmount: z.optional(z.number().check(z.minimum(0), z.maximum(1e15))),
    presetFiatAmount: z.optional(z.number()),
    handlingRequestedUrls: z.optional(z.boolean()),
    provider: z.optional(text(40)),
    paymentCurrency: z.optional(text(8)),
    paymentMethod: z.optional(z.enum(paymentMethods)),
  }),
  result: z.object({ url: z.string(), orderId: z.optional(z.string()) }),
} as const satisfies Route

/**
 * Status of an order: `created` (the checkout was opened), `declined` (the payment failed; another
 * may follow), `expired` (not paid), `paid`, `failed` (paid, but the provider cannot deliver),
 * `sent` (according to the provider), and `arrived` (visible on the chain).
 */
export const orderStatuses = [
  'created',
  'declined',
  'expired',
  'paid',
  'failed',
  'sent',
  'arrived',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Why a payment failed. */
export const declineReasons = [
  'card',
  'authentication',
  'funds',
  'limit',
  'identity',
  'cancelled',
] as const

/**
 * `GET /v1/onramp/orders/{id}`: the status of an order. Amounts are decimal strings;
 * `receivedAmount` is the amount on the chain.
 */
export const onrampOrderRoute = {
  method: 'GET',
  path: '/v1/onramp/orders/:id',
  query: z.object({ projectId: z.string() }),
  result: z.object({
    id: z.string(),
    status: z.enum(orderStatuses),
    reason: z.nullable(z.enum(declineReasons)),
    provider: z.string(),
    providerName: z.string(),
    chainId: z.string(),
    symbol: z.string(),
    paymentAmount: z.nullable(z.string()),
    paymentCurrency: z.string(),
    receivedAmount: z.nullable(z.string()),
    transactionHash: z.nullable(z.string()),
    createdAt: z.string(),
  }),
} as const satisfies Route
export type OnrampOrder = z.infer<typeof onrampOrderRoute.result>

/**
 * Path to which a provider reports an order (Standard Webhooks); the last part is the provider's
 * id.
 */
export const onrampWebhookPath = '/v1/onramp/webhooks/:provider'
