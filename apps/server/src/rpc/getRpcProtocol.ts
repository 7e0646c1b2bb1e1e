import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
import { eip155Protocol } from './eip155Protocol.ts'
import type { RpcProtocol } from './rpcProtocol.ts'
import { solanaProtocol } from './solanaProtocol.ts'

const protocols: Partial<Record<Namespace, RpcProtocol>> = {
  eip155: eip155Protocol,
  solana: solanaProtocol,
}

/**
 * The methods and subscriptions of a chain for clients; undefined for namespaces without chain RPC.
 */
export const getRpcProtocol = (chainId: ChainId): RpcProtocol | undefined =>
  protocols[parseChainId(chainId).namespace]
