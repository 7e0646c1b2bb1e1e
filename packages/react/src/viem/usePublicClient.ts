import type { RegisteredChainId } from '@latchkey/core'
import { getProviderNetwork, getRpcClient } from '@latchkey/core/internal'
import { useMemo } from 'react'
import { createPublicClient, custom, type PublicClient } from 'viem'
import { getNetwork } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { toViemChain } from './toViemChain.ts'

/**
 * A viem client that reads an EVM network through the app's Latchkey server or the `rpcUrls` of its
 * config: the network with `chainId`, otherwise the selected network, otherwise the EVM wallet's.
 * Throws an Error if the app does not have the network.
 */
export function usePublicClient({ chainId }: { chainId?: RegisteredChainId } = {}): PublicClient {
  const app = useApp()
  const network = useAppState((state) =>
    chainId ? getNetwork(state, chainId) : getProviderNetwork(state),
  )
  if (!network) throw new Error('This app has no EVM network')
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
