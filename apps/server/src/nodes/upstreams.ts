import type { ChainId } from '@latchkey/wire'
import { Counter } from 'prom-client'
import type { Lease } from '../http/createAnswerMemory.ts'
import type { Services } from '../services.ts'
import { createHedge } from './createHedge.ts'
import { getNodeProtocol } from './nodeProtocols.ts'
import {
  findFault,
  findReadFault,
  type ParsedReply,
  parseReplies,
  type RpcReply,
  readReplies,
} from './readReplies.ts'
import { type NoAnswer, requestAny } from './requestAny.ts'
import type { NodeRequest } from './requestUpstream.ts'
import { createRpcRequest, type UpstreamCall } from './rpcRequest.ts'
import {
  createUpstream,
  type Pool,
  type Question,
  type Upstream,
  type UpstreamLimits,
} from './upstream.ts'
import { isHealthy, probe, verify } from './upstreamHealth.ts'

/** The replies in the order of the calls, or why no upstream of the chain gave any. */
export type UpstreamAnswer<Reply = RpcReply> = { readonly replies: readonly Reply[] } | NoAnswer

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

const defaultLimits: UpstreamLimits = {
  timeoutMs: 10_000,
  maxBytes: 10 * 1024 * 1024,
  breakAfter: 4,
  restMs: 5_000,
  verifiedMs: 5 * 60_000,
  liarMs: 60_000,
  hedgeMs: 1_000,
}

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

function isRepeatable(chainId: ChainId, calls: readonly UpstreamCall[]): boolean {
  const unrepeatable = getNodeProtocol(chainId).rpc?.unrepeatable
  return !calls.some(({ method }) => unrepeatable?.test(method))
}
