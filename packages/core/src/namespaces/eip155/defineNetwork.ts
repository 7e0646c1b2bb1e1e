import type { Network, NetworkOf, SwapContracts } from '../../networks.ts'

/** The parameters of an EVM network that is not preconfigured. */
export type NetworkParameters<Id extends number = number> = {
  /** The chain id, for example `8453`. */
  id: Id
  name: string
  /** The network's prefix of addresses: `mine` for `mine:0x…` (ERC-3770). */
  shortName?: string
  nativeCurrency: Network['nativeCurrency']
  /**
   * Endpoints. The first is given to wallets that have to add the network, and reads go to it if
   * the server has no node for the network.
   */
  rpcUrls?: readonly string[]
  /** Whether reads may go to the first of `rpcUrls`; true by default. */
  readsFromRpcUrls?: boolean
  blockExplorer?: { name: string; url: string }
  contracts?: { multicall3?: `0x${string}` }
  /** The contracts for token swaps; without them, swaps are not offered. */
  swap?: SwapContracts
  testnet?: boolean
}

/** Defines an EVM network. Throws a RangeError if the id is not a positive whole number. */
export function defineNetwork<const Id extends number>(
  parameters: NetworkParameters<Id>,
): NetworkOf<'eip155', Id> {
  const { id, name, nativeCurrency, rpcUrls = [], testnet = false } = parameters
  const { blockExplorer, contracts, swap, shortName, readsFromRpcUrls = true } = parameters
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new RangeError(`defineNetwork: the chain id ${id} is not a positive whole number`)
  return {
    id,
    caipNetworkId: `eip155:${id}` as const,
    chainNamespace: 'eip155',
    name,
    ...(shortName !== undefined && { shortName }),
    nativeCurrency,
    rpcUrls,
    ...(rpcUrls[0] && readsFromRpcUrls && { readsFromRpcUrls }),
    ...(blockExplorer && { blockExplorer }),
    ...(contracts && { contracts }),
    ...(swap && { swap }),
    testnet,
    assets: { imageId: `eip155-${id}` },
  }
}

/** The part of a `viem/chains` chain that a network needs. */
export type ViemChain<Id extends number = number> = {
  id: Id
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: { default: { http: readonly string[] } }
  blockExplorers?: { default: { name: string; url: string } } | undefined
  contracts?: { multicall3?: unknown } | undefined
  testnet?: boolean | undefined
}

/** The network of a chain from `viem/chains`, or of a chain made with viem's `defineChain`. */
export function fromViemChain<const Id extends number>(
  chain: ViemChain<Id>,
): NetworkOf<'eip155', Id> {
  const { id, name, nativeCurrency, rpcUrls, blockExplorers, testnet } = chain
  const multicall3 = (chain.contracts?.multicall3 as { address?: `0x${string}` } | undefined)
    ?.address
  return defineNetwork({
    id,
    name,
    nativeCurrency,
    rpcUrls: rpcUrls.default.http,
    ...(blockExplorers && {
      blockExplorer: { name: blockExplorers.default.name, url: blockExplorers.default.url },
    }),
    ...(multicall3 && { contracts: { multicall3 } }),
    ...(testnet && { testnet }),
  })
}
