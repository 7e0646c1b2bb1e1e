import { useMemo } from 'react'
import {
  type Account,
  type Address,
  type Chain,
  createWalletClient,
  custom,
  type WalletClient,
} from 'viem'
import { useAccount } from '../hooks/useAccount.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useProvider } from '../hooks/useProvider.ts'
import { toViemChain } from './toViemChain.ts'

type ConnectedClient = WalletClient<ReturnType<typeof custom>, Chain, Account>

/** A viem client that asks the connected wallet to sign and send; `data` is undefined while none is connected. */
export function useWalletClient(): { data: ConnectedClient | undefined } {
  const provider = useProvider()
  const { address } = useAccount()
  const { network } = useNetwork()
  const data = useMemo(
    () =>
      provider && address
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
