import { getProviderConnection, getProviderNetwork } from '@latchkey/core/internal'
import { useMemo } from 'react'
import {
  type Account,
  type Address,
  type Chain,
  createWalletClient,
  custom,
  type WalletClient,
} from 'viem'
import { useAppState } from '../app/useAppState.ts'
import { useProvider } from '../hooks/useProvider.ts'
import { toViemChain } from './toViemChain.ts'

type ConnectedClient = WalletClient<ReturnType<typeof custom>, Chain, Account>

/**
 * A viem client that has the connected EVM wallet sign and send, regardless of the selected
 * network; `data` is undefined while no EVM wallet is connected.
 */
export function useWalletClient(): { data: ConnectedClient | undefined } {
  const provider = useProvider()
  const address = useAppState((state) => getProviderConnection(state)?.account.address)
  const network = useAppState(getProviderNetwork)
  const data = useMemo(
    () =>
      provider && address && network
        ? (createWalletClient({
            account: address as Address,
            chain: toViemChain(network),
            transport: custom(provider),
          }) as ConnectedClient)
        : undefined,
    [provider, address, network],
  )
  return { data }
}
