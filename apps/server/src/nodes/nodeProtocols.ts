import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
import type { NodeRequest } from './requestUpstream.ts'
import { createProbeRequest } from './rpcRequest.ts'

/** The differences between the nodes of the namespaces. */
export type NodeProtocol = {
  /** Requests the id of the chain that a node serves; `reported` is the raw response. */
  readonly identity: NodeRequest<{ readonly reported: string }>
  /**
   * Requests part of the newest state, which a node may have lost; undefined if the node's API has
   * no such request.
   */
  readonly state?: NodeRequest<{ readonly reported: string }>
  /** Whether that answer names the chain with this CAIP-2 reference. */
  isChain(reference: string, reported: string): boolean
  /**
   * Whether nodes are verified when the server starts, and not only before their first response
   * counts.
   */
  readonly isVerifiedAtStart: boolean
  /**
   * How to identify nodes that have WebSockets over the socket, and methods that must not be sent
   * to two nodes at once.
   */
  readonly rpc?: {
    /** The method that {@link identity} calls. */
    readonly identify: string
    /**
     * Nodes may offer only subscriptions on their sockets. Then the HTTP side of the same node has
     * to identify it.
     */
    readonly hasPlainSockets: boolean
    /** Methods that change something. */
    readonly unrepeatable: RegExp
  }
}

const protocols: Record<Namespace, NodeProtocol> = {
  eip155: {
    identity: createProbeRequest('eth_chainId'),
    state: createProbeRequest('eth_getBalance', `["0x${'0'.repeat(40)}","latest"]`),
    isChain: (reference, reported) =>
      reported.toLowerCase() === `"0x${BigInt(reference).toString(16)}"`,
    isVerifiedAtStart: false,
    rpc: {
      identify: 'eth_chainId',
      hasPlainSockets: false,
      unrepeatable: /^(?:eth_sendRawTransaction|debug_\w+)$/,
    },
  },
  solana: {
    identity: createProbeRequest('getGenesisHash'),
    state: createProbeRequest('getBalance', `["${'1'.repeat(32)}"]`),
    // CAIP-2 ids of Solana hold the first 32 characters of the hash.
    isChain: (reference, reported) =>
      reference.length === 32 && reported.slice(1, 33) === reference,
    isVerifiedAtStart: true,
    rpc: {
      identify: 'getGenesisHash',
      hasPlainSockets: true,
      unrepeatable: /^(?:sendTransaction|requestAirdrop)$/,
    },
  },
  // Esplora. CAIP-2 ids of Bitcoin hold the first 32 characters of the hash.
  bip122: {
    identity: {
      method: 'GET',
      path: '/block-height/0',
      contentType: 'text/plain',
      statuses: [],
      read: (text) => (/^[0-9a-f]{64}$/.test(text.trim()) ? { reported: text.trim() } : 'notJson'),
      isInconclusive: () => false,
    },
    isChain: (reference, reported) => reference.length === 32 && reported.startsWith(reference),
    isVerifiedAtStart: true,
  },
  polkadot: {
    identity: createProbeRequest('chain_getBlockHash', '[0]'),
    state: createProbeRequest('state_getRuntimeVersion'),
    // CAIP-2 ids of Polkadot hold the first 32 digits of the hash.
    isChain: (reference, reported) =>
      reference.length === 32 &&
      /^"0x[0-9a-f]{64}"$/.test(reported) &&
      reported.slice(3, 35) === reference,
    isVerifiedAtStart: true,
  },
}

/** The protocol of a chain's nodes. */
export const getNodeProtocol = (chainId: ChainId): NodeProtocol =>
  protocols[parseChainId(chainId).namespace]
