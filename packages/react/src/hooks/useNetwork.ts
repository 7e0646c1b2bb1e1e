import { activeNetwork, type RegisteredNetworks } from '@latchkey/core'
import type { ChainId } from '@latchkey/wire'
import { useAppState } from '../app/useAppState.ts'

/**
 * The selected network, all networks of the app, and the wallet's chain if it is not among them.
 */
export function useNetwork(): {
  network: RegisteredNetworks[number]
  networks: RegisteredNetworks
  unsupportedChainId: ChainId | undefined
} {
  return {
    network: useAppState(activeNetwork),
    networks: useAppState((state) => state.networks),
    unsupportedChainId: useAppState((state) => state.unsupportedChainId),
  }
}
