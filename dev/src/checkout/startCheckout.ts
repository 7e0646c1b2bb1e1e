import { createServer, type IncomingMessage } from 'node:http'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { host } from '../ports.ts'
import { checkoutPage, checkoutStyles, refusalPage } from './checkoutPage.ts'
import type { Sold } from './listSold.ts'
import type { Nodes } from './payOut.ts'
import { formatCents, priceOrder } from './priceOrder.ts'
import { isMessageSigned, isUrlSigned } from './sign.ts'
import { type Act, createTill, type Order, type Till } from './takePayment.ts'

/** A provider that sells the money of the local chains. */
export type Checkout = { readonly url: string; stop(): Promise<void> }

type CheckoutResponse = { readonly status: number; readonly type: string; readonly body: string }
type Shop = { readonly sold: readonly Sold[]; readonly secret: Uint8Array; readonly till: Till }

const maxBodyBytes = 10_000
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const quoteRequest = z.object({
  chainId: z.string(),
  asset: z.string(),
  symbol: z.string(),
  currency: z.string(),
  amount: z.string(),
})
const acts = ['paid', 'secure', 'slow', 'declined', 'undelivered', 'confirm', 'refuse', 'cancel']

/**
 * Serves the checkout: its page at `/buy` with the parameters of {@link describeCheckout}, and
 * `POST /quote`. It accepts only requests that the server has signed with `secret`, and reports
 * orders to `webhookUrl`. Port 0 is any free port.
 */
export async function startCheckout(parameters: {
  port: number
  sold: readonly Sold[]
  nodes: Nodes
  webhookUrl: string
  secret: Uint8Array
  log: (line: string) => void
}): Promise<Checkout> {
  const abort = new AbortController()
  const till = createTill({ ...parameters, signal: abort.signal })
  const shop = { sold: parameters.sold, secret: parameters.secret, till }
  const server = createServer(async (request, response) => {
    const { status, type, body } = await answer(shop, { request, url }).catch(() => refusal)
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': type === 'text/css' ? 'max-age=3600' : 'no-store',
    }
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parameters.port, host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : parameters.port
  const url = `http://${host}:${port}`
  return {
    url,
    async stop() {
      abort.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  shop: Shop,
  { request, url }: { request: IncomingMessage; url: string },
): Promise<CheckoutResponse> {
  const { pathname, searchParams } = new URL(request.url ?? '/', url)
  if (pathname === '/checkout.css') return { status: 200, type: 'text/css', body: checkoutStyles }
  const body = request.method === 'POST' ? await readText(request) : ''
  if (pathname === '/quote')
    return isMessageSigned(shop.secret, { body, headers: request.headers })
      ? quote(shop, body)
      : refusal
  if (pathname !== '/buy' || !isUrlSigned(shop.secret, `${url}${request.url}`)) return refusal
  const order = readOrder(shop, searchParams)
  if (order === undefined) return refusal
  const act = new URLSearchParams(body).get('act')
  const state =
    act !== null && acts.includes(act)
      ? shop.till.act(order, act as Act)
      : shop.till.getState(order.id)
  const currency = searchParams.get('currency') ?? ''
  return { status: 200, type: 'text/html', body: checkoutPage({ order, state, currency }) }
}

function readOrder({ sold }: Shop, values: URLSearchParams): Order | undefined {
  const get = (name: string) => values.get(name) ?? ''
  const one = find(sold, { chainId: get('network'), asset: get('asset') })
  // An amount that was not chosen is one hundred.
  const paid = { amount: get('amount') || '100', currency: get('currency') }
  const price = one && priceOrder(one, paid)
  return price && { id: get('order'), to: get('to'), sold: one, price }
}

function quote({ sold }: Shop, body: string): CheckoutResponse {
  const asked = quoteRequest.parse(JSON.parse(body))
  const one = find(sold, asked)
  const price = one && priceOrder(one, asked)
  if (!price) return refusal
  const money = (cents: bigint) => ({ amount: formatCents(cents), currency: asked.currency })
  const result = {
    fee: money(price.fee),
    networkFee: money(0n),
    paymentSubtotal: money(price.subtotal),
    paymentTotal: money(price.total),
    purchaseAmount: { amount: formatUnits(price.units, one.decimals), currency: one.symbol },
    quoteId: `quote-${asked.chainId}-${asked.symbol}-${asked.amount}`,
  }
  return { status: 200, type: 'application/json', body: JSON.stringify(result) }
}

const find = (sold: readonly Sold[], asked: { chainId: string; asset: string }) =>
  sold.find(({ chainId, asset }) => chainId === asked.chainId && asset === asked.asset)

const refusal: CheckoutResponse = { status: 400, type: 'text/html', body: refusalPage() }

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBodyBytes) throw new Error('The request is too large')
  }
  return text
}
