import { Hono } from 'hono'
import { healthRoutes, helloRoute } from '../health/routes.ts'
import { answerError, failureResponse, unknownPath, upgradeRequired } from '../http/failure.ts'
import { limitRate } from '../http/limitRate.ts'
import { observe } from '../http/observe.ts'
import type { RelayServices } from '../services.ts'

/** The HTTP side of a relay that runs alone. `/health` returns 204, as usual for relays. */
export function createRelayServer(services: RelayServices): Hono {
  const app = new Hono()
  app.use(observe(services), limitRate(services))
  app.get('/health', (c) => c.body(null, 204))
  app.route('/', healthRoutes(services))
  app.route('/', helloRoute())
  app.notFound((c) =>
    c.req.method === 'GET' && c.req.path === '/' ? upgradeRequired() : failureResponse(unknownPath),
  )
  app.onError(answerError)
  return app
}
