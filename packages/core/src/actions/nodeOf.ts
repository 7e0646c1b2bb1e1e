import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { Request } from '../chains/chain.ts'
import type { App } from '../createApp.ts'
import { createNode } from '../rpc.ts'
import { nodeUrlOf } from './rpcUrlOf.ts'

/** The client of a network's node; one a network, so that reads of one moment travel together. Throws NO_RPC_URL. */
export function nodeOf(app: App, chainId: ChainId): Request {
  const known = app.work.nodes.get(chainId)
  if (known) return known
  const network = app.store
    .getState()
    .networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (!network) throw new LatchkeyError('NO_RPC_URL', { data: { id: chainId } })
  const { fetch, now, sleep } = app.environment
  const { signal } = app
  const url = nodeUrlOf(app, network)
  const node = createNode({ url, chain: network.name, fetch, now, sleep, signal })
  app.work.nodes.set(chainId, node)
  return node
}
