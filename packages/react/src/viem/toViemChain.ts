import type { Network } from '@latchkey/core'
import { type Chain, defineChain } from 'viem'

/** A network as viem describes it. */
export function toViemChain(network: Network): Chain {
  const { id, name, nativeCurrency, rpcUrls, blockExplorer, contracts, testnet } = network
  return defineChain({
    id: Number(id),
    name,
    nativeCurrency,
    rpcUrls: { default: { http: [...rpcUrls] } },
    ...(blockExplorer && { blockExplorers: { default: blockExplorer } }),
    ...(contracts?.multicall3 && { contracts: { multicall3: { address: contracts.multicall3 } } }),
    testnet,
  })
}
