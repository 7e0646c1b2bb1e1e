import type { HttpBindings } from '@hono/node-server'
import { type ChainId, type SimulatedOutcome, simulateCallsRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addOpenRoute } from '../auth/mount.ts'
import { findChain } from '../http/findChain.ts'
import type { Node, Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { QueueFull } from '../shares/createFairQueue.ts'
import { addPrices } from './addPrices.ts'
import type { AskNode, Simulated } from './delegate.ts'
import type { PriceSources } from './readListedPrices.ts'
import { simulateOn } from './simulateOn.ts'

/** The most nodes to query. Two, so that a single node cannot lie unnoticed. */
const maxNodes = 2
/** The time limit for all requests to one node; the frame waits for three seconds. */
const maxMs = 2_500

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

/** Simulates on the first healthy nodes of the chain at once. */
export async function simulate(
  upstreams: Pick<Upstreams, 'nodes'>,
  {
    chainId,
    given,
    signal,
    timeoutMs = maxMs,
  }: { chainId: ChainId; given: Simulated; signal: AbortSignal; timeoutMs?: number },
): Promise<{ asked: number; outcomes: SimulatedOutcome[] }> {
  const nodes = (await upstreams.nodes(chainId)).slice(0, maxNodes)
  const timer = AbortSignal.timeout(timeoutMs)
  const late = new Promise<undefined>((resolve) => {
    timer.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const both = AbortSignal.any([signal, timer])
  const asked = nodes.map((node) =>
    Promise.race([simulateOn(createAsk(node, both), given), late]).catch(() => undefined),
  )
  const outcomes = (await Promise.all(asked)).filter((one) => one !== undefined)
  return { asked: nodes.length, outcomes }
}

const createAsk =
  (node: Node, signal: AbortSignal): AskNode =>
  async (method, params) => {
    const answer = await node.request([{ method, params: JSON.stringify(params) }], signal)
    if (!('replies' in answer)) return undefined
    const [reply] = answer.replies
    if (reply === undefined) return undefined
    return reply.error === undefined ? { result: reply.result } : { error: reply.error }
  }
