import { Hono } from 'hono'
import type { ChainConfig } from '../src/config/chainsFile.ts'
import { evmHistory } from '../src/history/evmHistory.ts'
import { historyRoutes } from '../src/history/routes.ts'
import { createUpstreams } from '../src/nodes/upstreams.ts'
import { askProviders, listAsked } from '../src/onramp/askProviders.ts'
import { sweepOrders } from '../src/onramp/dueOrders.ts'
import type { OnrampConfig } from '../src/onramp/onrampConfig.ts'
import { openProviders } from '../src/onramp/openProviders.ts'
import { openPurchases } from '../src/onramp/readPurchases.ts'
import { onrampRoutes } from '../src/onramp/routes.ts'
import { webhookRoutes } from '../src/onramp/webhookRoutes.ts'
import { signWebhook } from '../src/onramp/webhookSignature.ts'
import type { ReadPrices } from '../src/prices/openPrices.ts'
import { createTokenFacts } from '../src/tokens/tokenFacts.ts'
import { heldActivity } from './heldActivity.ts'
import { makeServices } from './makeServices.ts'
import type { openTestDatabase } from './openTestDatabase.ts'

export const secret = Buffer.alloc(32, 7)
export const webhookSecret = `whsec_${secret.toString('base64')}`

/**
 * The area with a database and these providers, its clock, and the requests of a visitor and a
 * provider.
 */
export function openOnramp({
  db,
  chains,
  onramp,
  tokens = [],
  trustedProxies = 0,
  readPrices = async ({ tokens: asked }) => asked.map(() => undefined),
}: {
  db: Awaited<ReturnType<typeof openTestDatabase>>['db']
  chains: Record<`${'eip155' | 'solana'}:${string}`, ChainConfig>
  onramp: OnrampConfig
  trustedProxies?: number
  tokens?: readonly { address: string; name: string; symbol: string; decimals: number }[]
  readPrices?: ReadPrices
}) {
  const state = { nowMs: Date.UTC(2026, 0, 1) }
  const made = makeServices(chains, () => state.nowMs)
  const services = { ...made, db, config: { ...made.config, onramp, trustedProxies } }
  const upstreams = createUpstreams(services)
  const listed = new Map(tokens.map((token) => [token.address, token]))
  const area = {
    ...services,
    upstreams,
    providers: openProviders(services),
    getListed: async () => ({ tokens: listed, knownNames: new Set<string>() }),
    readPrices,
    getTokenIcon: () => '',
  }
  const sources = {
    ...area,
    activity: heldActivity([], () => false).activity,
    getFacts: createTokenFacts(area),
    readPurchases: openPurchases(area),
  }
  const app = new Hono()
    .route('/', onrampRoutes(area))
    .route('/', webhookRoutes(services))
    .route('/', historyRoutes(services, { eip155: evmHistory(services, sources) }))
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
    const response = await app.request(path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  /** Reports an order like a provider, with the fields of `change`. */
  const report = async (
    data: object,
    change: {
      provider?: string
      key?: Buffer
      atMs?: number
      signedAtMs?: number
      body?: string
    } = {},
  ) => {
    const timestamp = new Date(change.atMs ?? state.nowMs).toISOString()
    const body = JSON.stringify({ type: 'order.updated', timestamp, data })
    const signed = {
      id: 'msg_1',
      timestamp: String(Math.floor((change.signedAtMs ?? state.nowMs) / 1000)),
      body,
    }
    const response = await app.request(`/v1/onramp/webhooks/${change.provider ?? 'shop'}`, {
      method: 'POST',
      body: change.body ?? body,
      headers: {
        'webhook-id': signed.id,
        'webhook-timestamp': signed.timestamp,
        'webhook-signature': signWebhook(change.key ?? secret, signed),
      },
    })
    return response.status
  }
  /** Reads an order after all rate limits have passed. */
  const follow = async (id: string) => {
    state.nowMs += 3_000
    return (await ask(`/v1/onramp/orders/${id}`)).body
  }
  const sweep = async () => {
    await sweepOrders(area, { asked: listAsked(area.providers) })
    await askProviders(area)
  }
  return { ask, report, follow, sweep, state, services }
}
