import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'

/** What differs between the nodes of the namespaces. */
export type NodeProtocol = {
  /** The method whose result says which chain a node serves. It has no parameters. */
  readonly identify: string
  /** Whether that result, as raw JSON, names the chain with this CAIP-2 reference. */
  isChain(reference: string, result: string): boolean
  /** Nodes are asked for it when the server starts, and not only before their first answer counts. */
  readonly isVerifiedAtStart: boolean
  /** Nodes may offer only subscriptions on their sockets. Then the same node's HTTP side has to identify it. */
  readonly hasPlainSockets: boolean
  /** Methods that change something, or whose answer only one node knows. */
  readonly unrepeatable: RegExp
}

const protocols: Partial<Record<Namespace, NodeProtocol>> = {
  eip155: {
    identify: 'eth_chainId',
    isChain: (reference, result) =>
      result.toLowerCase() === `"0x${BigInt(reference).toString(16)}"`,
    isVerifiedAtStart: false,
    hasPlainSockets: false,
    unrepeatable: /^eth_(?:sendRawTransaction|new\w*Filter|getFilter\w+|uninstallFilter)$/,
  },
  solana: {
    identify: 'getGenesisHash',
    // CAIP-2 ids of Solana hold the first 32 characters of the hash.
    isChain: (reference, result) => reference.length === 32 && result.slice(1, 33) === reference,
    isVerifiedAtStart: true,
    hasPlainSockets: true,
    unrepeatable: /^(?:sendTransaction|requestAirdrop)$/,
  },
}

/** How the nodes of a chain are spoken to; undefined for namespaces without nodes of JSON-RPC. */
export const getNodeProtocol = (chainId: ChainId): NodeProtocol | undefined =>
  protocols[parseChainId(chainId).namespace]
