import { getKnownAddresses, readKnownAddresses } from '@latchkey/core/internal'
import { type ChainId, findLookalike } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/** How long the list of known addresses stays fresh. */
const KNOWN_LIFETIME_MS = 30_000

/**
 * The known address that the receiver's address could be mistaken for; undefined for every other
 * receiver.
 */
export function useLookalike(receiver: string): string | undefined {
  const { address = '' } = useAccount()
  return findLookalike(receiver, useKnownAddresses(address, useNetwork().network.caipNetworkId))
}

/**
 * The addresses that the user knows, oldest first. Until the server has responded, only the
 * addresses stored in this browser.
 */
export function useKnownAddresses(address: string, chainId: ChainId): readonly string[] {
  const app = useApp()
  const { data } = useQuery(
    {
      queryKey: ['latchkey', 'known addresses', chainId, address],
      queryFn: ({ signal }) => readKnownAddresses(app, { address, chainId, signal }),
      enabled: address !== '',
      staleTime: KNOWN_LIFETIME_MS,
    },
    getQueryClient(app),
  )
  return data ?? getKnownAddresses(app, [])
}
