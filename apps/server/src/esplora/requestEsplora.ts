import type { ChainId } from '@latchkey/wire'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { EsploraRequest } from './requests.ts'

/** The Esploras of one chain. */
export type EsploraNodes = { readonly upstreams: Upstreams; readonly chainId: ChainId }

/**
 * The value of the nodes' response. Throws RPC_UNAVAILABLE, also if the nodes refuse the request.
 */
export async function requestEsplora<Value>(
  nodes: EsploraNodes,
  request: EsploraRequest<Value>,
): Promise<Value> {
  const found = await findInEsplora(nodes, request)
  if (found === undefined) throw rpcUnavailable(nodes.chainId)
  return found
}

/** Like {@link requestEsplora}, but undefined if no node has a value. */
export async function findInEsplora<Value>(
  { upstreams, chainId }: EsploraNodes,
  request: EsploraRequest<Value>,
): Promise<Value | undefined> {
  const sent = await upstreams.send(chainId, request)
  if ('fault' in sent || sent.answer.refusal === 400) throw rpcUnavailable(chainId)
  return sent.answer.refusal === undefined ? sent.answer.value : undefined
}
