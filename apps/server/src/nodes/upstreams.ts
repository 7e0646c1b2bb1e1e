import type { ChainId } from '@latchkey/wire'
import { Counter } from 'prom-client'
import type { MemoryReservation } from '../http/createResponseMemory.ts'
import type { Services } from '../services.ts'
import { createFairQueue } from '../shares/createFairQueue.ts'
import { createBatchLimit } from './batchLimit.ts'
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
import type { NodeRequest } from './requestUpstream.ts'
import { requestWithFailover, type UpstreamFailure } from './requestWithFailover.ts'
import { createRpcRequest, type UpstreamCall } from './rpcRequest.ts'
import type { Trim } from './trimAnswer.ts'
import {
  createUpstream,
  type Pool,
  type Upstream,
  type UpstreamLimits,
  type UpstreamRequest,
} from './upstream.ts'
import { isHealthy, probe, verify } from './upstreamHealth.ts'

/**
 * The replies in the order of the calls, or the reason why no upstream of the chain returned any.
 */
export type UpstreamReplies<Reply = RpcReply> =
  | { readonly replies: readonly Reply[] }
  | UpstreamFailure

/**
 * The nodes of every chain; `request` counts as one call of the chain, even if it contains several.
 */
export type Upstreams = {
  /**
   * `reservation` holds the bytes of the response, also after it has arrived; without a reservation
   * they count only while the response is read.
   */
  request(
    chainId: ChainId,
    calls: readonly UpstreamCall[],
    reservation?: MemoryReservation,
  ): Promise<UpstreamReplies>
  /**
   * For responses that are read here and not passed on. If an error was not caused by a contract,
   * the request is sent to other nodes too, then once more. With `trim`, unneeded parts are dropped
   * while the response arrives.
   */
  read(
    chainId: ChainId,
    calls: readonly UpstreamCall[],
    trim?: Trim,
  ): Promise<UpstreamReplies<ParsedReply>>
  /**
   * For nodes without JSON-RPC. Only a GET may be sent to two nodes at once; any request may be
   * repeated at another node if one fails.
   */
  send<Answer extends object>(
    chainId: ChainId,
    request: NodeRequest<Answer>,
    reservation?: MemoryReservation,
  ): Promise<{ readonly answer: Answer } | UpstreamFailure>
  /**
   * Runs work in which the chain's nodes run code for a client: only a few at once, per client and
   * in total. Throws QueueFull.
   */
  inTurn<Result>(chainId: ChainId, client: string, work: () => Promise<Result>): Promise<Result>
  /** URLs of the chain, the healthy ones first. */
  urls(chainId: ChainId): string[]
  /**
   * The healthy nodes of the chain individually, the preferred first, for requests that are sent to
   * several nodes and compared.
   */
  nodes(chainId: ChainId): Promise<Node[]>
  /** How many nodes the chain has, healthy or not. */
  countNodes(chainId: ChainId): number
}

/** One node. Requests that `signal` aborts do not count against it. */
export type Node = {
  request(
    calls: readonly UpstreamCall[],
    signal: AbortSignal,
  ): Promise<UpstreamReplies<ParsedReply>>
}

const defaultLimits: UpstreamLimits = {
  timeoutMs: 10_000,
  maxBytes: 10 * 1024 * 1024,
  breakAfter: 4,
  restMs: 5_000,
  verifiedMs: 5 * 60_000,
  wrongChainMs: 60_000,
  hedgeMs: 1_000,
}

const maxTries = 5
/** The limits for clients' requests that run code on the nodes of a chain, or search. */
const turns = { atOnce: 8, perKey: 4, waiting: 500 } as const

/**
 * The upstreams of all configured chains, with their health. One per server. `verifyAtStart`
 * verifies the chain of each node if its protocol requires it, and of all `privateTransactionUrls`;
 * `/ready` names the chains for which a node gave a wrong response. For a chain with
 * `smartAccounts.traceUrls`, only those nodes get trace requests. For a chain with
 * `privateTransactionUrls`, signed transactions go only there, also from within a batch; if none of
 * these URLs answers, the transactions go nowhere.
 */
export function createUpstreams(
  {
    config,
    clock,
    log,
    metrics,
    responseMemory,
    health,
  }: Pick<Services, 'config' | 'clock' | 'log' | 'metrics' | 'responseMemory' | 'health'>,
  limits: Partial<UpstreamLimits> = {},
): Upstreams & { verifyAtStart(): Promise<void> } {
  const calls = new Counter({
    name: 'latchkey_upstream_calls_total',
    help: 'Calls to chain upstreams by chain and outcome (ok, or why it failed)',
    labelNames: ['chain', 'outcome'] as const,
    registers: [metrics.registry],
  })
  const pool: Pool = { clock, log, responseMemory, calls, limits: { ...defaultLimits, ...limits } }
  const chains = new Map<string, Upstream[]>()
  const privateNodes = new Map<string, Upstream[]>()
  const traceNodes = new Map<string, Upstream[]>()
  for (const [id, chain] of Object.entries(config.chains)) {
    const toNode = (url: string) =>
      createUpstream(url, id as ChainId, createBatchLimit(clock, chain.batch))
    chains.set(id, chain.upstreams.map(toNode))
    if (chain.privateTransactionUrls) privateNodes.set(id, chain.privateTransactionUrls.map(toNode))
    const { traceUrls } = chain.smartAccounts ?? {}
    if (traceUrls) traceNodes.set(id, traceUrls.map(toNode))
  }
  const hedges = new Map([...chains.keys()].map((id) => [id, createHedge(pool.limits.hedgeMs)]))
  const queues = new Map([...chains.keys()].map((id) => [id, createFairQueue(turns)]))
  const all = (chainId: ChainId) => chains.get(chainId) ?? []
  const findHealthy = async (nodes: readonly Upstream[]) => {
    const probes = nodes.map((upstream) => probe(pool, upstream))
    if (!nodes.some(isHealthy)) await Promise.all(probes)
    return nodes.filter(isHealthy)
  }
  const ask = async <Answer extends object>(
    nodes: readonly Upstream[],
    question: UpstreamRequest<Answer>,
  ) => requestWithFailover(pool, (await findHealthy(nodes)).slice(0, maxTries), question)
  const askCalls = async <Reply extends RpcReply | ParsedReply>(
    chainId: ChainId,
    calls: readonly UpstreamCall[],
    question: (calls: readonly UpstreamCall[]) => UpstreamRequest<readonly Reply[]>,
  ): Promise<UpstreamReplies<Reply>> => {
    const hidden = privateNodes.get(chainId)
    const isHidden = ({ method }: UpstreamCall) => hidden !== undefined && isTransaction(method)
    if (hidden && calls.some(isHidden)) {
      const secret = calls.filter(isHidden)
      const open = calls.filter((call) => !isHidden(call))
      const sent = toAnswer(await ask(hidden, question(secret)))
      if (open.length === 0 || !('replies' in sent)) return sent
      const read = await askCalls(chainId, open, question)
      if (!('replies' in read)) return read
      const [sentOnes, readOnes] = [[...sent.replies], [...read.replies]]
      const replies = calls.map((call) => (isHidden(call) ? sentOnes : readOnes).shift())
      return { replies: replies as Reply[] }
    }
    const tracers = traceNodes.get(chainId)
    if (tracers && calls.every(({ method }) => method === 'debug_traceCall'))
      return toAnswer(await ask(tracers, question(calls)))
    const hedge = isRepeatable(chainId, calls) ? hedges.get(chainId) : undefined
    return toAnswer(await ask(all(chainId), { ...question(calls), hedge }))
  }
  health.add('nodes', () => {
    const misconfigured = [...chains, ...privateNodes, ...traceNodes].filter(([, nodes]) =>
      nodes.some(({ isOnWrongChain }) => isOnWrongChain),
    )
    const ids = misconfigured.map(([id]) => id).join(', ')
    return ids === '' ? undefined : `An upstream serves another chain than configured: ${ids}`
  })
  return {
    request: (chainId, calls, reservation) =>
      askCalls(chainId, calls, (part) => ({
        request: createRpcRequest(part, { read: readReplies, findFault }),
        reservation,
      })),
    async read(chainId, calls, trim) {
      const question = (part: readonly UpstreamCall[]) => ({
        request: createRpcRequest(part, { read: parseReplies, findFault: findReadFault, trim }),
      })
      const answer = await askCalls(chainId, calls, question)
      return mayPass(answer, calls) ? askCalls(chainId, calls, question) : answer
    },
    send: (chainId, request, reservation) => {
      const hedge = request.method === 'GET' ? hedges.get(chainId) : undefined
      return ask(all(chainId), { request, reservation, hedge })
    },
    inTurn: (chainId, client, work) => queues.get(chainId)?.(client, work) ?? work(),
    urls: (chainId) =>
      all(chainId)
        .filter(isHealthy)
        .map(({ url }) => url),
    nodes: async (chainId) =>
      (await findHealthy(all(chainId))).map((upstream) => ({
        async request(calls, signal) {
          const request = createRpcRequest(calls, { read: parseReplies, findFault })
          return toAnswer(await requestWithFailover(pool, [upstream], { request, signal }))
        },
      })),
    countNodes: (chainId) => all(chainId).length,
    async verifyAtStart() {
      const nodes = [...chains.values()].flat()
      const wanted = nodes.filter(({ protocol }) => protocol.isVerifiedAtStart)
      // No request would verify these before the first transaction.
      const hidden = [...privateNodes.values()].flat()
      await Promise.all([...wanted, ...hidden].map((upstream) => verify(pool, upstream)))
    },
  }
}

const toAnswer = <Reply>(
  answered: { readonly answer: readonly Reply[] } | UpstreamFailure,
): UpstreamReplies<Reply> => ('answer' in answered ? { replies: answered.answer } : answered)

/** Whether a method submits a signed transaction, in any variant. */
const isTransaction = (method: string) => /^eth_send(?:Raw|Private)/.test(method)

/**
 * Whether a retry a moment later may succeed: a node may not find a block yet that it has just
 * received.
 */
const mayPass = (answer: UpstreamReplies<ParsedReply>, calls: readonly UpstreamCall[]): boolean =>
  'replies' in answer &&
  answer.replies.some((reply, index) => findReadFault(reply, calls[index]?.method) !== undefined)

function isRepeatable(chainId: ChainId, calls: readonly UpstreamCall[]): boolean {
  const unrepeatable = getNodeProtocol(chainId).rpc?.unrepeatable
  return !calls.some(({ method }) => unrepeatable?.test(method))
}
