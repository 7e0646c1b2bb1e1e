import type { OrderStatus, PaymentMethod } from '@latchkey/wire'
import * as z from 'zod'
import type { Services } from '../../services.ts'
import type { CoinbaseConfig } from '../onrampConfig.ts'
import type { OrderReport } from '../orderStore.ts'
import type { OnrampProvider } from '../provider.ts'
import {
  decimal,
  type ProviderRequest,
  requestProvider,
  transactionHash,
} from '../requestProvider.ts'
import { signCdpToken } from './cdpToken.ts'

/** Coinbase's names of the networks to which it sends. */
const networks: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:137': 'polygon',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
}

const methods: Readonly<Record<PaymentMethod, string>> = {
  card: 'CARD',
  ach_bank_account: 'ACH_BANK_ACCOUNT',
}

const price = z
  .object({ value: decimal, currency: z.string().max(16) })
  .transform(({ value, currency }) => ({ amount: value, currency }))
const quoteAnswer = z.object({
  coinbase_fee: price,
  network_fee: price,
  payment_subtotal: price,
  payment_total: price,
  purchase_amount: price,
  quote_id: z.string().min(1).max(100),
})
const tokenAnswer = z.object({ token: z.string().min(1).max(4_000) })
const transactions = z.object({
  transactions: z
    .array(
      z.object({
        status: z.string(),
        created_at: z.string().optional(),
        completed_at: z.string().nullish(),
        failure_reason: z.string().nullish(),
        tx_hash: transactionHash.nullish(),
        wallet_address: z.string().optional(),
      }),
    )
    .max(100),
})

/**
 * Coinbase Onramp through its API (https://docs.cdp.coinbase.com/onramp): quotes, a session token
 * that carries the account in place of the URL, and the transactions of an order, which Coinbase
 * does not report on its own. Each request is signed with the operator's CDP key.
 */
export function createCoinbase(
  services: Pick<Services, 'log' | 'clock'>,
  id: string,
  config: CoinbaseConfig,
): OnrampProvider {
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    {
      subject,
      path,
      body,
    }: Pick<ProviderRequest, 'subject'> & { readonly path: string; readonly body?: object },
  ) => {
    const url = new URL(`${config.apiUrl.replace(/\/$/, '')}${path}`)
    const method = body === undefined ? 'GET' : 'POST'
    const token = await signCdpToken(config, { method, url, nowMs: services.clock() })
    const headers = { authorization: `Bearer ${token}` }
    const content = body && { body: JSON.stringify(body) }
    return requestProvider(services, { provider: id, subject, url, headers, ...content }, schema)
  }
  return {
    id,
    config,
    sells: ({ chainId }) => networks[chainId] !== undefined,
    async quote({ asset, currency, method, amount }) {
      const answer = await ask(quoteAnswer, {
        subject: 'quote',
        path: '/onramp/v1/buy/quote',
        body: {
          country: config.country,
          ...(config.subdivision && { subdivision: config.subdivision }),
          paymentAmount: amount,
          paymentCurrency: currency,
          paymentMethod: methods[method],
          purchaseCurrency: asset.symbol,
          purchaseNetwork: networks[asset.chainId],
        },
      })
      // Coinbase falls back to dollars if it does not support the currency.
      if (answer?.payment_total.currency !== currency) return undefined
      return {
        coinbaseFee: answer.coinbase_fee,
        networkFee: answer.network_fee,
        paymentSubtotal: answer.payment_subtotal,
        paymentTotal: answer.payment_total,
        purchaseAmount: answer.purchase_amount,
        quoteId: answer.quote_id,
      }
    },
    async getCheckoutUrl(order, { clientIp, tokenAmount, experience }) {
      const network = networks[order.asset.chainId]
      if (network === undefined) return undefined
      const session = await ask(tokenAnswer, {
        subject: 'session',
        path: '/onramp/v1/token',
        body: {
          addresses: [{ address: order.address, blockchains: [network] }],
          assets: [order.asset.symbol],
          clientIp,
        },
      })
      if (session === undefined) return undefined
      const url = new URL(config.payUrl)
      const values = {
        sessionToken: session.token,
        defaultNetwork: network,
        defaultAsset: order.asset.symbol,
        fiatCurrency: order.paymentCurrency,
        defaultPaymentMethod: methods[order.paymentMethod],
        partnerUserRef: order.id,
        ...(order.paymentAmount && { presetFiatAmount: order.paymentAmount }),
        // With both, Coinbase would leave out the payment that the user saw.
        ...(!order.paymentAmount && tokenAmount && { presetCryptoAmount: tokenAmount }),
        ...(experience && { defaultExperience: experience }),
      }
      for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
      return url.href
    },
    async readReport(order) {
      const path = `/onramp/v1/buy/user/${encodeURIComponent(order.id)}/transactions`
      const answer = await ask(transactions, { subject: 'transactions', path })
      if (answer === undefined) return undefined
      const reports = answer.transactions.flatMap((one) => toReport(one, services.clock()) ?? [])
      // The newest comes first; a paid transaction takes precedence over a failed one.
      const report = reports.find(isPaid) ?? reports[0]
      if (report === undefined) return 'none'
      const wasPaid = order.status === 'paid' || order.status === 'failed'
      return report.status === 'declined' && wasPaid ? { ...report, status: 'failed' } : report
    },
  }
}

const statuses: Readonly<Record<string, Exclude<OrderStatus, 'created' | 'arrived'>>> = {
  ONRAMP_TRANSACTION_STATUS_IN_PROGRESS: 'paid',
  ONRAMP_TRANSACTION_STATUS_SUCCESS: 'sent',
  ONRAMP_TRANSACTION_STATUS_FAILED: 'declined',
}

const isPaid = ({ status }: OrderReport) => status === 'paid' || status === 'sent'

/**
 * Times are limited to between 1970 and now, and an invalid time becomes 1970: after a report from
 * the future, later reports would not count.
 */
function toReport(
  transaction: z.output<typeof transactions>['transactions'][number],
  nowMs: number,
): OrderReport | undefined {
  const status = statuses[transaction.status]
  if (status === undefined) return undefined
  const at = Date.parse(transaction.completed_at ?? transaction.created_at ?? '')
  const hash = transaction.tx_hash
  return {
    status,
    at: new Date(Number.isNaN(at) ? 0 : Math.min(Math.max(at, 0), nowMs)),
    ...(hash && { transactionHash: hash }),
  }
}
