import { declineReasons, onrampWebhookPath, parseBoundedJson } from '@latchkey/wire'
import { Hono } from 'hono'
import * as z from 'zod'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { checkBody } from '../http/request/parse.ts'
import type { Services } from '../services.ts'
import { applyReport } from './advanceOrder.ts'
import type { OnrampConfig } from './onrampConfig.ts'
import { transactionHash } from './requestProvider.ts'
import { decodeSecret, isWebhookSigned } from './webhookSignature.ts'

type WebhookRoutesDeps = Pick<Services, 'db' | 'clock' | 'log'> & {
  readonly config: { readonly onramp: OnrampConfig }
}

const maxBytes = 64 * 1024

/**
 * A provider's report. `timestamp` is the time of the event, so that an older report changes
 * nothing; ISO 8601.
 */
const report = z.object({
  type: z.literal('order.updated'),
  timestamp: z.iso.datetime({ offset: true }),
  data: z.object({
    orderId: z.string().regex(/^[\w-]{24}$/),
    status: z.enum(['declined', 'expired', 'paid', 'sent', 'failed']),
    reason: z.enum(declineReasons).optional(),
    transactionHash: transactionHash.min(1).optional(),
  }),
})

/**
 * The route for reports of hosted checkouts about their orders (Standard Webhooks). Each provider
 * has its own secret and can report only its own orders. A report never marks an order as arrived;
 * only the chain does.
 */
export function webhookRoutes(deps: WebhookRoutesDeps): Hono {
  return new Hono().post(onrampWebhookPath, async (c) => {
    const provider = c.req.param('provider')
    const body = await c.req.text()
    if (body.length > maxBytes)
      throw new HttpFailure({ ...badRequest('body', 'The body is too large'), status: 413 })
    const signed = {
      id: c.req.header('webhook-id') ?? '',
      timestamp: c.req.header('webhook-timestamp') ?? '',
      body,
    }
    const signatures = c.req.header('webhook-signature') ?? ''
    const config = deps.config.onramp.get(provider)
    const secret = config?.type === 'checkout' ? decodeSecret(config.webhookSecret) : undefined
    if (!secret || !isWebhookSigned(secret, signed, { signatures, nowMs: deps.clock() })) {
      deps.log.warn({ provider: provider.slice(0, 32) }, 'onramp webhook refused')
      throw new HttpFailure(notSigned)
    }
    const { timestamp, data } = checkBody(report, parseJson(body))
    const { orderId: id, ...rest } = data
    const isKnown = await applyReport(deps, {
      id,
      provider,
      report: { ...rest, at: new Date(timestamp) },
    })
    if (!isKnown) throw new HttpFailure(unknownOrder)
    return c.body(null, 204)
  })
}

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

const notSigned: Failure = {
  status: 401,
  field: 'webhook-signature',
  description: "The webhook is not signed with this provider's secret, or it is too old",
}
const unknownOrder: Failure = {
  status: 404,
  field: 'data.orderId',
  description: 'This provider has no such order',
}
