import { analyticsEvents, analyticsMethods } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { Counter } from 'prom-client'
import * as z from 'zod'
import { parseBody } from '../http/request/parse.ts'
import type { Services } from '../services.ts'

const event = z.object({
  eventId: z.uuid(),
  props: z.object({
    type: z.enum(['track', 'error']),
    event: z.string().min(1).max(64),
    properties: z.object({ method: z.string().max(64).optional() }).optional(),
  }),
})

/**
 * The operator's own analytics sink. While it is off, the default, events are accepted and dropped.
 * Otherwise they are counted by name and by connection method, and not stored. Anyone can send
 * anything, so unknown names share the label `other`.
 */
export function analyticsRoutes({ config, metrics, log }: Services): Hono {
  const app = new Hono()
  app.get('/getAnalyticsConfig', (c) => c.json({ isAnalyticsEnabled: config.analytics !== 'off' }))
  // Clients that send events without reading this setting first would log an error for each page.
  const accept = (c: Context) => c.json({}, 202)
  if (config.analytics === 'off') return app.post('/e', accept).post('/batch', accept)
  const counter = new Counter({
    name: 'latchkey_analytics_events_total',
    help: 'Events received by the analytics sink',
    labelNames: ['event', 'method'],
    registers: [metrics.registry],
  })
  const take = (events: z.infer<typeof event>[]) => {
    const counts: Record<string, number> = {}
    for (const { props } of events) {
      const name = pick(analyticsEvents, props.event)
      const method = props.properties?.method
      counter.inc({
        event: name,
        method: method === undefined ? '' : pick(analyticsMethods, method),
      })
      counts[name] = (counts[name] ?? 0) + 1
    }
    log.info({ events: events.length, counts }, 'analytics')
  }
  app.post('/e', async (c) => {
    const body = await parseBody(c, event)
    take([body])
    return c.json({}, 202)
  })
  app.post('/batch', async (c) => {
    const body = await parseBody(c, z.array(event).max(1_000))
    take(body)
    return c.json({}, 202)
  })
  return app
}

const pick = (known: readonly string[], name: string) => (known.includes(name) ? name : 'other')
