import { Hono } from 'hono'
import { Counter } from 'prom-client'
import * as z from 'zod'
import { parseBody } from '../http/parse.ts'
import type { Services } from '../services.ts'

const event = z.object({
  eventId: z.uuid(),
  props: z.object({ type: z.enum(['track', 'error']), event: z.string().min(1).max(64) }),
})

/** The operator's own analytics sink, off by default: events are counted and not stored. */
export function analyticsRoutes({ config, metrics, log }: Services): Hono {
  const app = new Hono()
  app.get('/getAnalyticsConfig', (c) => c.json({ isAnalyticsEnabled: config.analytics !== 'off' }))
  if (config.analytics === 'off') return app
  const counter = new Counter({
    name: 'latchkey_analytics_events_total',
    help: 'Events received by the analytics sink',
    registers: [metrics.registry],
  })
  const take = (events: z.infer<typeof event>[]) => {
    counter.inc(events.length)
    log.info({ events: events.length }, 'analytics')
  }
  app.post('/e', async (c) => {
    const body = await parseBody(c, event)
    if (body instanceof Response) return body
    take([body])
    return c.json({}, 202)
  })
  app.post('/batch', async (c) => {
    const body = await parseBody(c, z.array(event).max(1_000))
    if (body instanceof Response) return body
    take(body)
    return c.json({}, 202)
  })
  return app
}
