import type { FrameChain } from '../../chains.ts'
import type { QueuedRequest } from '../createRequestQueue.ts'

/**
 * The network of a request. A batch (EIP-5792) names its network, which may differ from the
 * selected network.
 */
export function findBatchChain(
  chains: readonly FrameChain[],
  { method, params, chain }: QueuedRequest,
): FrameChain {
  if (method !== 'wallet_sendCalls' || chain.namespace !== 'eip155') return chain
  const [batch] = Array.isArray(params) ? (params as unknown[]) : []
  const chainId = (batch as { chainId?: unknown } | null | undefined)?.chainId
  if (typeof chainId !== 'string' || !/^0x[0-9a-f]{1,14}$/i.test(chainId)) return chain
  // An unknown network is refused when the batch is parsed.
  return chains.find(({ id }) => id === `eip155:${Number(chainId)}`) ?? chain
}
