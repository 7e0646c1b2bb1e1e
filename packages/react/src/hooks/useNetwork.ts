import { activeNetwork, type Network } from '@latchkey/core'
import type { ChainId } from '@latchkey/wire'
import { useAppState } from '../app/useAppState.ts'

/** The selected network, all that the app asks for, and the wallet's own when that is none of them. */
export function useNetwork(): {
  network: Network
  networks: readonly [Network, ...Network[]]
  unsupportedChainId: ChainId | undefined
} {
  return {
    network: useAppState(activeNetwork),
    networks: useAppState((state) => state.networks),
    unsupportedChainId: useAppState((state) => state.unsupportedChainId),
  }
}
