import type { Network, SwapContracts } from '../../networks.ts'

/** What an app says of an EVM network that is not among the preconfigured ones. */
export type NetworkParameters = {
  /** The chain id, as `8453`. */
  id: number
  name: string
  /**
   * The short name that stands before addresses of the network: `mine` for `mine:0x…` (ERC-3770).
   */
  shortName?: string
  nativeCurrency: Network['nativeCurrency']
  /** Public endpoints; a wallet that does not know the network is given the first. */
  rpcUrls?: readonly string[]
  blockExplorer?: { name: string; url: string }
  contracts?: { multicall3?: `0x${string}` }
  /** Where tokens are swapped; without it swaps are not offered. */
  swap?: SwapContracts
  testnet?: boolean
}

/**
 * Makes a network of an EVM chain. Throws a RangeError if the id is not a positive whole number.
 */
export function defineNetwork(parameters: NetworkParameters): Network {
  const { id, name, nativeCurrency, rpcUrls = [], testnet = false } = parameters
  const { blockExplorer, contracts, swap, shortName } = parameters
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new RangeError(`defineNetwork: the chain id ${id} is not a positive whole number`)
  return {
    id,
    caipNetworkId: `eip155:${id}`,
    chainNamespace: 'eip155',
    name,
    ...(shortName !== undefined && { shortName }),
    nativeCurrency,
    rpcUrls,
    ...(blockExplorer && { blockExplorer }),
    ...(contracts && { contracts }),
    ...(swap && { swap }),
    testnet,
    assets: { imageId: `eip155-${id}` },
  }
}

/** The part of a chain of `viem/chains` that a network needs. */
export type ViemChain = {
  id: number
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: { default: { http: readonly string[] } }
  blockExplorers?: { default: { name: string; url: string } } | undefined
  contracts?: { multicall3?: unknown } | undefined
  testnet?: boolean | undefined
}

/** The network of a chain of `viem/chains`, or of one that was made by `defineChain` of viem. */
export function fromViemChain(chain: ViemChain): Network {
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
