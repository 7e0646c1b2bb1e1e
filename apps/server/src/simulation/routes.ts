import type { HttpBindings } from '@hono/node-server'
import { simulateCallsRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addOpenRoute } from '../auth/mount.ts'
import { findChain } from '../http/findChain.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { QueueFull } from '../shares/createFairQueue.ts'
import { addPrices } from './addPrices.ts'
import type { PriceSources } from './readListedPrices.ts'
import { simulate } from './simulate.ts'

/**
 * `POST /api/simulation`: the effects of calls according to up to two nodes of the network, with
 * prices.
 */
export function simulationRoutes(
  services: Pick<Services, 'config'>,
  {
    auth,
    upstreams,
    prices,
  }: { readonly auth: Auth; readonly upstreams: Upstreams; readonly prices: PriceSources },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  addOpenRoute(app, auth, {
    route: simulateCallsRoute,
    async work({ body: { chainId, ...given }, address, signal }) {
      const found = findChain(services.config, chainId)
      if (!found) return { asked: 0, outcomes: [] }
      const { chainId: known } = found
      return addPrices(prices, {
        chainId: known,
        targets: given.calls.flatMap(({ to }) => to ?? []),
        simulating: upstreams
          .inTurn(known, address, () => simulate(upstreams, { chainId: known, given, signal }))
          .catch(ignoreFull),
      })
    },
  })
  return app
}

const ignoreFull = (error: unknown) => {
  if (error instanceof QueueFull) return { asked: 0, outcomes: [] }
  throw error
}
