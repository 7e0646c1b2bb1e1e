import { getProviderNetwork, getRpcClient } from '@latchkey/core/internal'
import type { ChainId } from '@latchkey/wire'
import { useMemo } from 'react'
import { createPublicClient, custom, type PublicClient } from 'viem'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { toViemChain } from './toViemChain.ts'

/**
 * A viem client that reads an EVM network through the app's Latchkey server or the `rpcUrls` of its
 * config: the network with `chainId`, otherwise the selected network, otherwise the EVM wallet's.
 * Throws an Error if the app does not have the network.
 */
export function usePublicClient({ chainId }: { chainId?: ChainId } = {}): PublicClient {
  const app = useApp()
  const { networks } = useNetwork()
  const selected = useAppState(getProviderNetwork)
  const network = chainId
    ? networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
    : selected
  if (!network)
    throw new Error(`${chainId ?? 'An EVM network'} is not one of the networks of this app`)
  return useMemo(() => {
    const node = getRpcClient(app, network.caipNetworkId)
    // The node's client has its own retries.
    const transport = custom(
      { request: ({ method, params }) => node(method, params) },
      { retryCount: 0 },
    )
    return createPublicClient({ chain: toViemChain(network), transport })
  }, [app, network])
}
