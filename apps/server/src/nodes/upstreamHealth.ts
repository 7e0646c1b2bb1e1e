import { parseChainId } from '@latchkey/wire'
import { requestUpstream, type UpstreamFault } from './requestUpstream.ts'
import type { Pool, Upstream } from './upstream.ts'

/** Whether an upstream may get requests. */
export const isHealthy = ({ restsUntilMs }: Upstream) => restsUntilMs === undefined

// Clients can provoke these faults, so they must not mark a node as unhealthy for everyone.
const harmless: ReadonlySet<UpstreamFault> = new Set<UpstreamFault>([
  'tooLarge',
  'badAnswer',
  'nodeFault',
  'busy',
])
// Faults of a node, or of a proxy in front of the node, if a client requests too much work.
const overworked: ReadonlySet<UpstreamFault> = new Set<UpstreamFault>(['timeout', 'slow', 'status'])

/**
 * Counts an outcome, except for faults that a client can provoke. An upstream with too many faults
 * in a row is paused, unless it answers a probe.
 */
export function recordOutcome(
  pool: Pool,
  upstream: Upstream,
  {
    fault,
    isCostly = false,
  }: { readonly fault?: UpstreamFault | undefined; readonly isCostly?: boolean | undefined } = {},
) {
  const { calls, clock, limits, log } = pool
  calls.inc({ chain: upstream.chainId, outcome: fault ?? 'ok' })
  if (fault === undefined) {
    upstream.faults = 0
    return
  }
  if (fault === 'nodeFault') suspect(pool, upstream)
  if (fault === 'wrongChain' || harmless.has(fault)) return
  if (isCostly && overworked.has(fault)) return
  upstream.faults++
  log.warn({ ...describeUpstream(upstream), fault, inARow: upstream.faults }, 'upstream failed')
  if (upstream.faults < limits.breakAfter) return
  upstream.faults = 0
  upstream.restsUntilMs = clock() + limits.restMs
  // A client can choose requests that make a node fail. A node that still answers our own request
  // is used again at once.
  startProbe(pool, upstream)
}

/**
 * Starts a probe after some errors about missing state: the node has lost it, or a client asked for
 * state that no node has.
 */
function suspect(pool: Pool, upstream: Upstream): void {
  const { clock, limits } = pool
  upstream.nodeFaults++
  const isDue = Math.abs(clock() - upstream.lookedAtMs) >= limits.restMs
  if (upstream.nodeFaults < limits.breakAfter || !isDue || upstream.protocol.state === undefined)
    return
  upstream.nodeFaults = 0
  upstream.lookedAtMs = clock()
  void startProbe(pool, upstream)
}

/**
 * After a pause, one probe decides whether the upstream is used again. Waits for a probe that is
 * already running.
 */
export async function probe(pool: Pool, upstream: Upstream): Promise<void> {
  const { restsUntilMs, probing } = upstream
  if (probing) return probing
  if (restsUntilMs === undefined || restsUntilMs > pool.clock()) return
  return startProbe(pool, upstream)
}

function startProbe(pool: Pool, upstream: Upstream): Promise<void> {
  upstream.probing ??= decide(pool, upstream).finally(() => {
    upstream.probing = undefined
  })
  return upstream.probing
}

async function decide(pool: Pool, upstream: Upstream): Promise<void> {
  const fault = (await identify(pool, upstream)) ?? (await readState(pool, upstream))
  if (fault === undefined) upstream.restsUntilMs = undefined
  else if (fault !== 'wrongChain') {
    if (isHealthy(upstream))
      pool.log.warn(
        { ...describeUpstream(upstream), fault },
        'upstream does not respond to a probe',
      )
    upstream.restsUntilMs = pool.clock() + pool.limits.restMs
  }
}

/**
 * Reads the newest state from a node, which may have lost it although it still has blocks. Returns
 * undefined if the node has the state.
 */
async function readState(
  { limits, responseMemory }: Pool,
  { url, protocol }: Upstream,
): Promise<UpstreamFault | undefined> {
  if (protocol.state === undefined) return undefined
  const answer = await requestUpstream(url, protocol.state, { ...limits, responseMemory })
  return typeof answer === 'string' ? answer : undefined
}

/**
 * Verifies which chain a node serves, once for all concurrent callers. Undefined if it is the
 * configured chain.
 */
export async function verify(pool: Pool, upstream: Upstream): Promise<UpstreamFault | undefined> {
  if (upstream.verifiedUntilMs > pool.clock()) return
  upstream.verifying ??= identify(pool, upstream).finally(() => {
    upstream.verifying = undefined
  })
  return upstream.verifying
}

async function identify(pool: Pool, upstream: Upstream): Promise<UpstreamFault | undefined> {
  const { clock, limits, log, responseMemory } = pool
  const { url, protocol } = upstream
  const answer = await requestUpstream(url, protocol.identity, { ...limits, responseMemory })
  if (typeof answer === 'string') return answer
  const { reported } = answer
  upstream.isOnWrongChain = !protocol.isChain(parseChainId(upstream.chainId).reference, reported)
  if (!upstream.isOnWrongChain) {
    upstream.verifiedUntilMs = clock() + limits.verifiedMs
    return undefined
  }
  upstream.restsUntilMs = clock() + limits.wrongChainMs
  log.error(
    { ...describeUpstream(upstream), said: reported.slice(0, 50) },
    'upstream serves another chain',
  )
  return 'wrongChain'
}

// Paths and queries of upstream URLs often carry the operator's key.
const describeUpstream = ({ url, chainId }: Upstream) => ({
  chain: chainId,
  upstream: new URL(url).host,
})
