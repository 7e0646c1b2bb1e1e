import type { ChainId, SimulatedOutcome } from '@latchkey/wire'
import type { Node, Upstreams } from '../nodes/upstreams.ts'
import type { AskNode, Simulated } from './delegate.ts'
import { simulateOn } from './simulateOn.ts'

/** The most nodes to query. Two, so that a single node cannot lie unnoticed. */
const maxNodes = 2
/** The time limit for all requests to one node; the frame waits for three seconds. */
const maxMs = 2_500

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
