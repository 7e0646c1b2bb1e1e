import type { HttpBindings } from '@hono/node-server'
import {
  formatUnits,
  onrampOptionsRoute,
  onrampOrderRoute,
  onrampQuoteRoute,
  onrampUrlRoute,
  type PaymentMethod,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import type * as z from 'zod'
import { invalidAccountAddress, isInNamespace, parseAccountAddress } from '../accountAddress.ts'
import { clientIp, clientNetwork } from '../http/clientAddress.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { getClientOrigin, takeClientToken } from '../http/limitRate.ts'
import { parseBody } from '../http/request/parse.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { tokenKey } from '../tokens/token.ts'
import {
  type Asset,
  assetId,
  findAsset,
  listOnrampAssets,
  paymentCurrencies,
  toPurchaseCurrencies,
} from './assets.ts'
import { estimateQuote } from './estimateQuote.ts'
import { getOrderSource } from './orderSource.ts'
import { deleteOrder, findOrder, insertOrder, type StoredOrder } from './orderStore.ts'
import { checkPayment, findOnrampProvider, onrampOff } from './parsePurchase.ts'
import type { OnrampProvider } from './provider.ts'
import { type OrderSources, refreshOrder } from './refreshOrder.ts'

type OnrampRoutesDeps = OrderSources &
  Pick<Services, 'config'> & {
    readonly getListed: GetListedTokens
    readonly readPrices: ReadPrices
  }
type OnrampContext = Context<{ Bindings: Partial<HttpBindings> }>

/** The rate limits for quotes and orders of one client. Each causes a request to a provider. */
const quoteBucket = { capacity: 30, refillPerSecond: 1 }
const orderBucket = { capacity: 10, refillPerSecond: 1 / 20 }
/**
 * The most orders of one client per day. Each may be requested from a provider for a week, and many
 * would delay other clients' orders.
 */
const dayBucket = { capacity: 50, refillPerSecond: 50 / 86_400 }

/**
 * The routes for the available assets and amounts, quotes, the URL of a checkout, and the state of
 * an order.
 */
export const onrampRoutes = (deps: OnrampRoutesDeps): Hono<{ Bindings: Partial<HttpBindings> }> =>
  new Hono<{ Bindings: Partial<HttpBindings> }>()
    .get(onrampOptionsRoute.path, (c) => listOptions(deps, c))
    .post(onrampQuoteRoute.path, (c) => quote(deps, c))
    .post(onrampUrlRoute.path, (c) => openCheckout(deps, c))
    .get(onrampOrderRoute.path, (c) => followOrder(deps, c))

const sold = async (deps: OnrampRoutesDeps, provider: OnrampProvider) =>
  (await listOnrampAssets(deps, provider.config)).filter((asset) => provider.sells(asset))

async function listOptions(deps: OnrampRoutesDeps, c: Context): Promise<Response> {
  const all = [...deps.providers.values()]
  if (all.length === 0) throw new HttpFailure(onrampOff)
  const assets = await Promise.all(all.map((provider) => sold(deps, provider)))
  return c.json({
    purchaseCurrencies: toPurchaseCurrencies(deps.config, assets.flat()),
    paymentCurrencies,
    providers: all.map(({ id, config }, index) => ({
      id,
      name: config.name,
      feePercent: config.feePercent,
      assets: (assets[index] ?? []).map(assetId),
      currencies: config.currencies,
      methods: config.methods,
    })),
  })
}

async function quote(deps: OnrampRoutesDeps, c: OnrampContext): Promise<Response> {
  const body = await parseBody(c, onrampQuoteRoute.body)
  const provider = findOnrampProvider(deps.providers, body.provider)
  const assets = await sold(deps, provider)
  const asset = findAsset(assets, { symbol: body.purchaseCurrency.symbol, network: body.network })
  if (asset === undefined) throw new HttpFailure(notSold('purchaseCurrency'))
  const { amount, paymentMethod: method = 'card' } = body
  const currency = body.paymentCurrency.id
  checkPayment(provider, { currency, method, amount })
  await take(deps, c, 'quotes', quoteBucket)
  const purchase = { asset, currency, method, amount }
  const found =
    (await provider.quote(purchase)) ?? (await estimateQuote(deps, purchase, provider.config))
  if (!found) throw new HttpFailure(noQuote)
  return c.json(found)
}

async function openCheckout(deps: OnrampRoutesDeps, c: OnrampContext): Promise<Response> {
  const body = await parseBody(c, onrampUrlRoute.body, 400)
  const provider = findOnrampProvider(deps.providers, body.provider)
  const destination = findDestination(await sold(deps, provider), body)
  const payment = {
    currency: body.paymentCurrency ?? provider.config.currencies[0] ?? 'USD',
    method: body.paymentMethod ?? provider.config.methods[0] ?? ('card' as PaymentMethod),
    amount: body.presetFiatAmount?.toString(),
  }
  checkPayment(provider, payment)
  await take(deps, c, 'orders', orderBucket)
  await take(deps, c, 'orders of a day', dayBucket)
  const origin = getClientOrigin(c)
  const { trustedProxies } = deps.config
  const order = await insertOrder(deps, {
    provider: provider.id,
    ...destination,
    paymentAmount: payment.amount,
    paymentCurrency: payment.currency,
    paymentMethod: payment.method,
    source: getOrderSource(clientNetwork(origin, trustedProxies)),
  })
  const visitor = {
    clientIp: clientIp(origin, trustedProxies),
    tokenAmount: body.presetCryptoAmount ? formatAmount(body.presetCryptoAmount) : undefined,
    experience: body.defaultExperience,
  }
  const url = await provider.getCheckoutUrl(order, visitor)
  if (url !== undefined) return c.json({ url, orderId: order.id })
  await deleteOrder(deps, order.id)
  throw new HttpFailure(away)
}

/** A number without an exponent. */
const formatAmount = (amount: number) =>
  amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 18 })

type Destination = { readonly asset: Asset; readonly address: string; readonly account: string }

/**
 * The first wallet that can receive a currency that is sold: the requested one, or the first that
 * fits. Throws {@link HttpFailure}.
 */
function findDestination(
  assets: readonly Asset[],
  { destinationWallets, defaultNetwork }: z.output<typeof onrampUrlRoute.body>,
): Destination {
  let failure: Failure = notSold('destinationWallets')
  for (const wallet of destinationWallets) {
    const parsed = parseAccountAddress(wallet.address)
    const networks = wallet.blockchains ?? wallet.supported_networks ?? []
    const fits = (one: Asset) =>
      (networks.length === 0 || networks.some((network) => isNetwork(one, network))) &&
      (wallet.assets === undefined || wallet.assets.some((name) => isAsset(one, name)))
    const fitting = assets.filter(fits)
    const own = fitting.filter(({ chainId }) => parsed && isInNamespace(chainId, parsed))
    const asset = own.find((one) => defaultNetwork && isNetwork(one, defaultNetwork)) ?? own[0]
    if (parsed && asset) return { asset, address: wallet.address, account: parsed.address }
    if (fitting[0])
      failure = { ...invalidAccountAddress(fitting[0].chainId), field: 'destinationWallets' }
  }
  throw new HttpFailure(failure)
}

const isNetwork = (one: Asset, network: string) =>
  findAsset([one], { symbol: one.symbol, network }) !== undefined
const isAsset = ({ asset, symbol }: Asset, name: string) =>
  name === symbol || tokenKey(name) === asset

async function followOrder(deps: OnrampRoutesDeps, c: Context): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const order = /^[\w-]{24}$/.test(id) ? await findOrder(deps, id) : undefined
  if (order === undefined) throw new HttpFailure(unknownOrder)
  return c.json(toWire(deps, await refreshOrder(deps, order)))
}

const toWire = (
  { providers }: OnrampRoutesDeps,
  order: StoredOrder,
): z.output<typeof onrampOrderRoute.result> => ({
  id: order.id,
  status: order.status,
  reason: order.reason ?? null,
  provider: order.provider,
  providerName: providers.get(order.provider)?.config.name ?? order.provider,
  chainId: order.asset.chainId,
  symbol: order.asset.symbol,
  paymentAmount: order.paymentAmount ?? null,
  paymentCurrency: order.paymentCurrency,
  receivedAmount:
    order.received === undefined ? null : formatUnits(order.received, order.asset.decimals),
  transactionHash: order.transactionHash ?? null,
  createdAt: order.createdAt.toISOString(),
})

const take = (
  deps: OnrampRoutesDeps,
  c: OnrampContext,
  kind: string,
  bucket: { readonly capacity: number; readonly refillPerSecond: number },
): Promise<void> =>
  takeClientToken(deps, c, { name: `onramp:${kind}`, bucket, problem: 'Too many requests' })

const notSold = (field: string): Failure =>
  badRequest(field, 'The provider does not sell this here. See /v1/onramp/options')
const noQuote: Failure = {
  status: 503,
  field: 'provider',
  description: 'The provider has no price now. Try again in a minute',
  retryAfterSeconds: 60,
}
const away: Failure = {
  status: 503,
  field: 'provider',
  description: 'The provider does not respond. Try again in a minute, or choose another',
  retryAfterSeconds: 60,
}
const unknownOrder: Failure = {
  status: 404,
  field: 'id',
  description: 'There is no such order, or it was deleted',
}
