import { type ChainId, parseChainId } from '@latchkey/wire'
import { Counter } from 'prom-client'
import type { Lease } from '../http/createAnswerMemory.ts'
import type { Services } from '../services.ts'
import { createHedge, type Hedge } from './createHedge.ts'
import { getNodeProtocol, type NodeProtocol } from './nodeProtocols.ts'
import {
  findFault,
  findReadFault,
  type ParsedReply,
  parseReplies,
  type RpcReply,
  readReplies,
} from './readReplies.ts'
import { type NodeRequest, requestUpstream, type UpstreamFault } from './requestUpstream.ts'
import { createRpcRequest, type UpstreamCall } from './rpcRequest.ts'

/** The replies in the order of the calls, or why no upstream of the chain gave any. */
export type UpstreamAnswer<Reply = RpcReply> = { readonly replies: readonly Reply[] } | NoAnswer

type NoAnswer = { readonly fault: UpstreamFault | 'none'; readonly retryAfterSeconds: number }

/** The nodes behind every chain; `request` counts as one call of the chain, however many calls it carries. */
export type Upstreams = {
  /** `lease` holds the bytes of the answer, also after it is there; where none is given they count while it is read. */
  request(chainId: ChainId, calls: readonly UpstreamCall[], lease?: Lease): Promise<UpstreamAnswer>
  /**
   * For answers that are read here and not passed on; one with an error that no contract caused is asked of others too, then
   * once more.
   */
  read(chainId: ChainId, calls: readonly UpstreamCall[]): Promise<UpstreamAnswer<ParsedReply>>
  /** For nodes without JSON-RPC. Only a GET may be asked of two nodes at once; anything may be repeated at another if one fails. */
  send<Answer extends object>(
    chainId: ChainId,
    request: NodeRequest<Answer>,
    lease?: Lease,
  ): Promise<{ readonly answer: Answer } | NoAnswer>
  /** URLs of the chain, the healthy ones first. */
  urls(chainId: ChainId): string[]
  /** The healthy nodes of the chain one by one, the preferred first, for what is asked of several and compared. */
  nodes(chainId: ChainId): Promise<Node[]>
}

/** One node. What a `signal` ends is not held against it. */
export type Node = {
  request(calls: readonly UpstreamCall[], signal: AbortSignal): Promise<UpstreamAnswer<ParsedReply>>
}

export type UpstreamLimits = {
  /** For one try at one upstream. */
  readonly timeoutMs: number
  /** Largest answer kept. */
  readonly maxBytes: number
  /** Faults in a row after which an upstream rests. */
  readonly breakAfter: number
  readonly restMs: number
  /** How long a verified chain id is valid, and how long a node with a wrong one is excluded. */
  readonly verifiedMs: number
  readonly liarMs: number
  /** So long a read waits for the first node alone until it is known how fast the network answers. */
  readonly hedgeMs: number
}

const defaultLimits: UpstreamLimits = {
  timeoutMs: 10_000,
  maxBytes: 10 * 1024 * 1024,
  breakAfter: 4,
  restMs: 5_000,
  verifiedMs: 5 * 60_000,
  liarMs: 60_000,
  hedgeMs: 1_000,
}

type Upstream = {
  readonly url: string
  readonly chainId: ChainId
  readonly protocol: NodeProtocol
  faults: number
  /** Undefined while it is well. Afterwards a single probe decides whether it is again. */
  restsUntilMs: number | undefined
  /** Its last word on which chain it serves was another than the configured one. */
  isLiar: boolean
  probing: Promise<void> | undefined
  verifiedUntilMs: number
  verifying: Promise<UpstreamFault | undefined> | undefined
}

type Pool = Pick<Services, 'clock' | 'log' | 'answers'> & {
  readonly limits: UpstreamLimits
  readonly calls: Counter<'chain' | 'outcome'>
}

// Clients can provoke these faults, so they must not mark a node as unhealthy for everyone.
const harmless: ReadonlySet<UpstreamFault> = new Set<UpstreamFault>([
  'tooLarge',
  'badAnswer',
  'nodeFault',
  'busy',
])
const maxTries = 5

/**
 * The upstreams of all configured chains, with their health. One per server. `verifyAtStart` asks nodes which chain they
 * serve, where their protocol wants it; `/ready` names the chains for which a node gave a wrong answer.
 */
export function createUpstreams(
  {
    config,
    clock,
    log,
    metrics,
    answers,
    health,
  }: Pick<Services, 'config' | 'clock' | 'log' | 'metrics' | 'answers' | 'health'>,
  limits: Partial<UpstreamLimits> = {},
): Upstreams & { verifyAtStart(): Promise<void> } {
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
      chain.upstreams.map((url) => createUpstream(url, chainId)),
    )
  }
  const hedges = new Map([...chains.keys()].map((id) => [id, createHedge(pool.limits.hedgeMs)]))
  const all = (chainId: ChainId) => chains.get(chainId) ?? []
  const getHealthy = (chainId: ChainId) => all(chainId).filter(isHealthy)
  const findHealthy = async (chainId: ChainId) => {
    const probes = all(chainId).map((upstream) => probe(pool, upstream))
    if (getHealthy(chainId).length === 0) await Promise.all(probes)
    return getHealthy(chainId)
  }
  const ask = async <Answer extends object>(
    chainId: ChainId,
    question: Question<Answer>,
    isRepeatable: boolean,
  ) => {
    const hedge = isRepeatable ? hedges.get(chainId) : undefined
    const nodes = (await findHealthy(chainId)).slice(0, maxTries)
    return requestAny(pool, nodes, { ...question, hedge })
  }
  const askCalls = async <Reply extends RpcReply | ParsedReply>(
    chainId: ChainId,
    calls: readonly UpstreamCall[],
    question: Question<readonly Reply[]>,
  ): Promise<UpstreamAnswer<Reply>> => {
    const answered = await ask(chainId, question, isRepeatable(chainId, calls))
    return 'answer' in answered ? { replies: answered.answer } : answered
  }
  health.add('nodes', () => {
    const liars = [...chains].filter(([, nodes]) => nodes.some(({ isLiar }) => isLiar))
    const ids = liars.map(([id]) => id).join(', ')
    return ids === '' ? undefined : `An upstream serves another chain than configured: ${ids}`
  })
  return {
    request: (chainId, calls, lease) =>
      askCalls(chainId, calls, {
        request: createRpcRequest(calls, { read: readReplies, findFault }),
        lease,
      }),
    async read(chainId, calls) {
      const question = {
        request: createRpcRequest(calls, { read: parseReplies, findFault: findReadFault }),
      }
      const answer = await askCalls(chainId, calls, question)
      return mayPass(answer) ? askCalls(chainId, calls, question) : answer
    },
    send: (chainId, request, lease) => ask(chainId, { request, lease }, request.method === 'GET'),
    urls: (chainId) => getHealthy(chainId).map((upstream) => upstream.url),
    nodes: async (chainId) =>
      (await findHealthy(chainId)).map((upstream) => ({
        async request(calls, signal) {
          const request = createRpcRequest(calls, { read: parseReplies, findFault })
          const answered = await requestAny(pool, [upstream], { request, signal })
          return 'answer' in answered ? { replies: answered.answer } : answered
        },
      })),
    async verifyAtStart() {
      const nodes = [...chains.values()].flat()
      const verified = nodes.filter(({ protocol }) => protocol.isVerifiedAtStart)
      await Promise.all(verified.map((upstream) => verify(pool, upstream)))
    },
  }
}

/** Whether the same question may be answered a moment later: a node may not find the block yet that it has just got. */
const mayPass = (answer: UpstreamAnswer<ParsedReply>): boolean =>
  'replies' in answer && answer.replies.some(findReadFault)

const isHealthy = ({ restsUntilMs }: Upstream) => restsUntilMs === undefined

function isRepeatable(chainId: ChainId, calls: readonly UpstreamCall[]): boolean {
  const unrepeatable = getNodeProtocol(chainId).rpc?.unrepeatable
  return !calls.some(({ method }) => unrepeatable?.test(method))
}

const createUpstream = (url: string, chainId: ChainId): Upstream => ({
  url,
  chainId,
  protocol: getNodeProtocol(chainId),
  faults: 0,
  restsUntilMs: undefined,
  isLiar: false,
  probing: undefined,
  verifiedUntilMs: 0,
  verifying: undefined,
})

type Question<Answer extends object> = {
  readonly request: NodeRequest<Answer>
  readonly lease?: Lease | undefined
  /** Where it may be asked of two nodes at once. */
  readonly hedge?: Hedge | undefined
  readonly signal?: AbortSignal | undefined
}

async function requestAny<Answer extends object>(
  pool: Pool,
  upstreams: readonly Upstream[],
  question: Question<Answer>,
): Promise<{ readonly answer: Answer } | NoAnswer> {
  let fault: UpstreamFault | 'none' = 'none'
  let doubtful: Answer | undefined
  let rest = upstreams
  while (rest.length > 0 && fault !== 'busy') {
    const outcomes = await askNext(pool, rest, question)
    for (const outcome of outcomes) {
      if (typeof outcome === 'string') fault = outcome
      else if (isUsable(question, outcome)) return { answer: outcome }
      // Another node may know more; when none does, this is the answer.
      else doubtful = outcome
    }
    rest = rest.slice(outcomes.length)
  }
  if (doubtful !== undefined) return { answer: doubtful }
  return { fault, retryAfterSeconds: Math.ceil(pool.limits.restMs / 1000) }
}

type Outcome<Answer> = Answer | UpstreamFault

const isUsable = <Answer extends object>(
  { request }: Pick<Question<Answer>, 'request'>,
  outcome: Outcome<Answer>,
): outcome is Answer => typeof outcome !== 'string' && !request.isDoubtful(outcome)

/** What the first upstream says; and the second, where the first took longer than nearly all do. */
async function askNext<Answer extends object>(
  pool: Pool,
  [first, second]: readonly Upstream[],
  question: Question<Answer>,
): Promise<Outcome<Answer>[]> {
  if (first === undefined) return []
  const { hedge } = question
  if (second === undefined || hedge === undefined) return [await requestOne(pool, first, question)]
  hedge.earn()
  const [stopFirst, stopSecond] = [new AbortController(), new AbortController()]
  const one = requestOne(pool, first, { ...question, signal: stopFirst.signal })
  if ((await within(one, hedge.delayMs())) !== undefined || !hedge.spend()) return [await one]
  const two = requestOne(pool, second, { ...question, signal: stopSecond.signal })
  const isGood = (outcome: Outcome<Answer>) => isUsable(question, outcome)
  const leads = await Promise.race([
    one.then((outcome) => (isGood(outcome) ? 'first' : 'second')),
    two.then((outcome) => (isGood(outcome) ? 'second' : 'first')),
  ])
  const [leader, other] = leads === 'first' ? [one, two] : [two, one]
  const answer = await leader
  if (!isGood(answer)) return [answer, await other]
  const stopOther = leads === 'first' ? stopSecond : stopFirst
  stopOther.abort()
  if (leads === 'second') recordOutcome(pool, first, 'slow')
  return [answer]
}

/** Undefined when it takes longer. */
async function within<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

async function requestOne<Answer extends object>(
  pool: Pool,
  upstream: Upstream,
  question: Question<Answer>,
): Promise<Outcome<Answer>> {
  const startedAtMs = performance.now()
  const outcome = (await verify(pool, upstream)) ?? (await send(pool, upstream, question))
  if (question.signal?.aborted) return outcome
  const isFaulty = typeof outcome !== 'string' && !isUsable(question, outcome)
  const fault = typeof outcome === 'string' ? outcome : isFaulty ? 'nodeFault' : undefined
  if (fault === undefined) question.hedge?.noteMs(performance.now() - startedAtMs)
  recordOutcome(pool, upstream, fault)
  return outcome
}

async function send<Answer extends object>(
  { limits, answers }: Pool,
  upstream: Upstream,
  { request, lease: givenLease, signal }: Question<Answer>,
): Promise<Outcome<Answer>> {
  const lease = givenLease ?? answers.open(undefined)
  if (lease === undefined) return 'busy'
  const outcome = await requestUpstream(upstream.url, request, { ...limits, lease, signal })
  if (givenLease === undefined) lease.release()
  return outcome
}

function recordOutcome(
  { calls, clock, limits, log }: Pool,
  upstream: Upstream,
  fault?: UpstreamFault,
) {
  calls.inc({ chain: upstream.chainId, outcome: fault ?? 'ok' })
  if (fault === undefined) {
    upstream.faults = 0
    return
  }
  if (fault === 'wrongChain' || harmless.has(fault)) return
  upstream.faults++
  log.warn({ ...describeUpstream(upstream), fault, inARow: upstream.faults }, 'upstream failed')
  if (upstream.faults < limits.breakAfter) return
  upstream.faults = 0
  upstream.restsUntilMs = clock() + limits.restMs
}

/** After a pause, one probe decides whether the upstream is used again. */
async function probe(pool: Pool, upstream: Upstream): Promise<void> {
  const { restsUntilMs } = upstream
  if (restsUntilMs === undefined || restsUntilMs > pool.clock()) return
  upstream.probing ??= decide(pool, upstream).finally(() => {
    upstream.probing = undefined
  })
  return upstream.probing
}

async function decide(pool: Pool, upstream: Upstream): Promise<void> {
  const fault = await identify(pool, upstream)
  if (fault === undefined) upstream.restsUntilMs = undefined
  else if (fault !== 'wrongChain') upstream.restsUntilMs = pool.clock() + pool.limits.restMs
}

/** Asks a node which chain it serves, once for all concurrent callers. Undefined if it is the configured one. */
async function verify(pool: Pool, upstream: Upstream): Promise<UpstreamFault | undefined> {
  if (upstream.verifiedUntilMs > pool.clock()) return
  upstream.verifying ??= identify(pool, upstream).finally(() => {
    upstream.verifying = undefined
  })
  return upstream.verifying
}

async function identify(pool: Pool, upstream: Upstream): Promise<UpstreamFault | undefined> {
  const { clock, limits, log } = pool
  const { protocol } = upstream
  const answer = await send(pool, upstream, { request: protocol.identity })
  if (typeof answer === 'string') return answer
  const { reported } = answer
  upstream.isLiar = !protocol.isChain(parseChainId(upstream.chainId).reference, reported)
  if (!upstream.isLiar) {
    upstream.verifiedUntilMs = clock() + limits.verifiedMs
    return undefined
  }
  upstream.restsUntilMs = clock() + limits.liarMs
  log.error(
    { ...describeUpstream(upstream), said: reported.slice(0, 50) },
    'upstream is of another chain',
  )
  return 'wrongChain'
}

// Paths and queries of upstream URLs often carry the operator's key.
const describeUpstream = ({ url, chainId }: Upstream) => ({
  chain: chainId,
  upstream: new URL(url).host,
})
