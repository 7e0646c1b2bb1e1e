import { readKnownAddresses } from '@latchkey/core'
import { findLookalike } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../../app/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/** Milliseconds that the list of known addresses stays fresh. */
const KNOWN_LIFETIME_MS = 30_000

/** The known address that the receiver's address could be mistaken for; undefined for every other receiver. */
export function useLookalike(receiver: string): string | undefined {
  const app = useApp()
  const { address = '' } = useAccount()
  const chainId = useNetwork().network.caipNetworkId
  const { data = [] } = useQuery(
    {
      queryKey: ['known addresses', chainId, address],
      queryFn: ({ signal }) => readKnownAddresses(app, { address, chainId, signal }),
      enabled: address !== '',
      staleTime: KNOWN_LIFETIME_MS,
    },
    getQueryClient(app),
  )
  return findLookalike(receiver, data)
}
