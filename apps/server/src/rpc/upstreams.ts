import type { ChainId } from '@latchkey/wire'
import { Counter } from 'prom-client'
import type { Lease } from '../http/createAnswers.ts'
import type { Services } from '../services.ts'
import { postUpstream, type UpstreamFault } from './postUpstream.ts'
import {
  faultIn,
  type ParsedReply,
  parseReplies,
  type RpcReply,
  readFaultIn,
  readReplies,
} from './readReplies.ts'

/** A call as a node gets it; `params` is raw JSON. */
export type UpstreamCall = { readonly method: string; readonly params: string | undefined }

/** The replies in the order of the calls, or why no upstream of the chain gave any. */
export type UpstreamAnswer<Reply = RpcReply> =
  | { readonly replies: readonly Reply[] }
  | { readonly fault: UpstreamFault | 'none'; readonly retryAfterSeconds: number }

/** The nodes behind every chain; `request` counts as one call of the chain, however many calls it carries. */
export type Upstreams = {
  /** `lease` holds the bytes of the answer, also after it is there; where none is given they count while it is read. */
  request(chainId: ChainId, calls: readonly UpstreamCall[], lease?: Lease): Promise<UpstreamAnswer>
  /** For answers that are read here and not passed on; one with an error that no contract caused is asked of others too. */
  read(chainId: ChainId, calls: readonly UpstreamCall[]): Promise<UpstreamAnswer<ParsedReply>>
  /** URLs of the chain, the healthy ones first. */
  urls(chainId: ChainId): string[]
}

export type UpstreamLimits = {
  /** For one try at one upstream. */
  readonly timeoutMs: number
  /** Largest answer kept. */
  readonly maxBytes: number
  /** Faults in a row after which an upstream rests. */
  readonly breakAfter: number
  readonly restMs: number
  /** How long a proven chain id counts, and a liar stays out. */
  readonly verifiedMs: number
  readonly liarMs: number
}

const defaultLimits: UpstreamLimits = {
  timeoutMs: 10_000,
  maxBytes: 10 * 1024 * 1024,
  breakAfter: 4,
  restMs: 5_000,
  verifiedMs: 5 * 60_000,
  liarMs: 60_000,
}

type Upstream = {
  readonly url: string
  readonly chainId: ChainId
  faults: number
  restsUntilMs: number
  verifiedUntilMs: number
  verifying: Promise<UpstreamFault | undefined> | undefined
}

type Pool = Pick<Services, 'clock' | 'log' | 'answers'> & {
  readonly limits: UpstreamLimits
  readonly calls: Counter<'chain' | 'outcome'>
}

// A client can provoke these at will; they must not take a node away from everybody else.
const harmless: ReadonlySet<UpstreamFault> = new Set<UpstreamFault>([
  'tooLarge',
  'nodeFault',
  'busy',
])
const mostTries = 5

/** The upstreams of all configured chains, with their health. One per server. */
export function createUpstreams(
  {
    config,
    clock,
    log,
    metrics,
    answers,
  }: Pick<Services, 'config' | 'clock' | 'log' | 'metrics' | 'answers'>,
  limits: Partial<UpstreamLimits> = {},
): Upstreams {
  const calls = new Counter({
    name: 'latchkey_upstream_calls_total',
    help: 'Calls to chain upstreams by chain and outcome (ok, or why it failed)',
    labelNames: ['chain', 'outcome'] as const,
    registers: [metrics.registry],
  })
  const pool: Pool = { clock, log, answers, calls, limits: { ...defaultLimits, ...limits } }
  const chains = new Map<string, Upstream[]>()
  for (const [id, chain] of Object.entries(config.chains)) {
    const chainId = id as ChainId
    chains.set(
      id,
      chain.upstreams.map((url) => newUpstream(url, chainId)),
    )
  }
  const inOrder = (chainId: ChainId) => {
    const upstreams = chains.get(chainId) ?? []
    return upstreams.filter((upstream) => upstream.restsUntilMs <= clock())
  }
  const tried = (chainId: ChainId) => inOrder(chainId).slice(0, mostTries)
  return {
    request: (chainId, list, lease) =>
      requestAny(pool, tried(chainId), { calls: list, readReplies, faultIn, lease }),
    read: (chainId, list) =>
      requestAny(pool, tried(chainId), {
        ...{ calls: list, readReplies: parseReplies, faultIn: readFaultIn },
      }),
    urls: (chainId) => inOrder(chainId).map((upstream) => upstream.url),
  }
}

const newUpstream = (url: string, chainId: ChainId): Upstream => ({
  url,
  chainId,
  faults: 0,
  restsUntilMs: 0,
  verifiedUntilMs: 0,
  verifying: undefined,
})

/** Calls, and how the answer to them is read. */
type Question<Reply> = {
  readonly calls: readonly UpstreamCall[]
  readReplies(text: string, count: number): readonly Reply[] | UpstreamFault
  faultIn(reply: RpcReply | ParsedReply): UpstreamFault | undefined
  readonly lease?: Lease | undefined
}

async function requestAny<Reply extends RpcReply | ParsedReply>(
  pool: Pool,
  upstreams: readonly Upstream[],
  question: Question<Reply>,
): Promise<UpstreamAnswer<Reply>> {
  let fault: UpstreamFault | 'none' = 'none'
  let unsure: readonly Reply[] | undefined
  for (const upstream of upstreams) {
    const answer = await requestOne(pool, upstream, question)
    if (typeof answer !== 'string') {
      if (!answer.some(question.faultIn)) return { replies: answer }
      // Another node may know more; when none does, this is the answer.
      unsure = answer
    } else fault = answer
    if (fault === 'busy') break
  }
  if (unsure !== undefined) return { replies: unsure }
  return { fault, retryAfterSeconds: Math.ceil(pool.limits.restMs / 1000) }
}

async function requestOne<Reply extends RpcReply | ParsedReply>(
  pool: Pool,
  upstream: Upstream,
  question: Question<Reply>,
): Promise<readonly Reply[] | UpstreamFault> {
  const answer = (await verify(pool, upstream)) ?? (await send(pool, upstream, question))
  const isFaulty = typeof answer !== 'string' && answer.some(question.faultIn)
  const fault = typeof answer === 'string' ? answer : isFaulty ? 'nodeFault' : undefined
  note(pool, upstream, fault)
  return answer
}

async function send<Reply>(
  { limits, answers }: Pool,
  upstream: Upstream,
  { calls, readReplies: read, lease: given }: Question<Reply>,
): Promise<readonly Reply[] | UpstreamFault> {
  const lease = given ?? answers.open(undefined)
  if (lease === undefined) return 'busy'
  const bodies = calls.map(
    ({ method, params }, index) =>
      `{"jsonrpc":"2.0","id":${index + 1},"method":${JSON.stringify(method)}${
        params === undefined ? '' : `,"params":${params}`
      }}`,
  )
  const body = bodies.length === 1 ? `${bodies[0]}` : `[${bodies.join(',')}]`
  const posted = await postUpstream(upstream.url, body, { ...limits, lease })
  if (given === undefined) lease.release()
  return 'fault' in posted ? posted.fault : read(posted.text, calls.length)
}

function note({ calls, clock, limits, log }: Pool, upstream: Upstream, fault?: UpstreamFault) {
  calls.inc({ chain: upstream.chainId, outcome: fault ?? 'ok' })
  if (fault === undefined) {
    upstream.faults = 0
    return
  }
  if (fault === 'wrongChain' || harmless.has(fault)) return
  upstream.faults++
  log.warn({ ...nameOf(upstream), fault, inARow: upstream.faults }, 'upstream failed')
  if (upstream.faults < limits.breakAfter) return
  // One more fault after the rest sends it back at once.
  upstream.faults = limits.breakAfter - 1
  upstream.restsUntilMs = clock() + limits.restMs
}

/** Asks the node for its chain id, once for all who wait. Undefined: it tells the truth. */
async function verify(pool: Pool, upstream: Upstream): Promise<UpstreamFault | undefined> {
  if (!upstream.chainId.startsWith('eip155:') || upstream.verifiedUntilMs > pool.clock()) return
  upstream.verifying ??= readChainId(pool, upstream).finally(() => {
    upstream.verifying = undefined
  })
  return upstream.verifying
}

async function readChainId(pool: Pool, upstream: Upstream): Promise<UpstreamFault | undefined> {
  const { clock, limits, log } = pool
  const calls = [{ method: 'eth_chainId', params: '[]' }]
  const answer = await send(pool, upstream, { calls, readReplies, faultIn })
  if (typeof answer === 'string') return answer
  const said = answer[0]?.result
  if (said === undefined) return 'nodeFault'
  if (
    said.toLowerCase() === `"0x${BigInt(upstream.chainId.slice('eip155:'.length)).toString(16)}"`
  ) {
    upstream.verifiedUntilMs = clock() + limits.verifiedMs
    return undefined
  }
  upstream.restsUntilMs = clock() + limits.liarMs
  log.error({ ...nameOf(upstream), said: said.slice(0, 40) }, 'upstream is of another chain')
  return 'wrongChain'
}

// Paths and queries of upstream URLs often carry the operator's key.
const nameOf = ({ url, chainId }: Upstream) => ({ chain: chainId, upstream: new URL(url).host })
