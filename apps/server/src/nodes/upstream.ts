import type { ChainId } from '@latchkey/wire'
import type { Counter } from 'prom-client'
import type { MemoryReservation } from '../http/createResponseMemory.ts'
import type { Services } from '../services.ts'
import type { BatchLimit } from './batchLimit.ts'
import type { Hedge } from './createHedge.ts'
import { getNodeProtocol, type NodeProtocol } from './nodeProtocols.ts'
import type { NodeRequest, UpstreamFault } from './requestUpstream.ts'

/** One node of a chain, and what is known about its health. */
export type Upstream = {
  readonly url: string
  readonly chainId: ChainId
  readonly protocol: NodeProtocol
  readonly batchLimit: BatchLimit
  faults: number
  /** Responses since the last check that another node might have answered better. */
  nodeFaults: number
  lookedAtMs: number
  /**
   * Undefined while the node is healthy. Afterwards a single probe decides whether it is healthy
   * again.
   */
  restsUntilMs: number | undefined
  /** The last time it was verified, it served another chain than the configured one. */
  isOnWrongChain: boolean
  probing: Promise<void> | undefined
  verifiedUntilMs: number
  verifying: Promise<UpstreamFault | undefined> | undefined
}

/** The state that all upstreams of a server share. */
export type Pool = Pick<Services, 'clock' | 'log' | 'responseMemory'> & {
  readonly limits: UpstreamLimits
  readonly calls: Counter<'chain' | 'outcome'>
}

/** The limits of requests to upstreams, and of their health. */
export type UpstreamLimits = {
  /** The time limit for one attempt at one upstream. */
  readonly timeoutMs: number
  /** The largest response to keep. */
  readonly maxBytes: number
  /** Consecutive faults after which an upstream is paused. */
  readonly breakAfter: number
  readonly restMs: number
  /**
   * How long a verified chain id is valid, and how long a node with a wrong chain id is excluded.
   */
  readonly verifiedMs: number
  readonly wrongChainMs: number
  /**
   * How long a read waits for the first node alone until the network's usual response time is
   * known.
   */
  readonly hedgeMs: number
}

/** A request to any upstream of a chain. */
export type UpstreamRequest<Answer extends object> = {
  readonly request: NodeRequest<Answer>
  readonly reservation?: MemoryReservation | undefined
  /** Set if the request may be sent to two nodes at once. */
  readonly hedge?: Hedge | undefined
  readonly signal?: AbortSignal | undefined
}

export type UpstreamResult<Answer> = Answer | UpstreamFault

/** An upstream that is not known to be unhealthy. */
export const createUpstream = (
  url: string,
  chainId: ChainId,
  batchLimit: BatchLimit,
): Upstream => ({
  url,
  chainId,
  batchLimit,
  protocol: getNodeProtocol(chainId),
  faults: 0,
  nodeFaults: 0,
  lookedAtMs: Number.NEGATIVE_INFINITY,
  restsUntilMs: undefined,
  isOnWrongChain: false,
  probing: undefined,
  verifiedUntilMs: 0,
  verifying: undefined,
})
