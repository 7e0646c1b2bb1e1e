import { getKnownAddresses, readLatestTransactions } from '@latchkey/core/internal'
import { type ChainId, findLookalike, type HistoryTransaction } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/** How long the account's latest transactions stay fresh. */
const LATEST_LIFETIME_MS = 30_000

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
export const useKnownAddresses = (address: string, chainId: ChainId): readonly string[] =>
  getKnownAddresses(useApp(), useLatestTransactions(address, chainId))

const none: readonly HistoryTransaction[] = []

/** The account's latest transactions, newest first; empty until the server has responded. */
export function useLatestTransactions(
  address: string,
  chainId: ChainId,
): readonly HistoryTransaction[] {
  const app = useApp()
  const { data } = useQuery(
    {
      queryKey: ['latchkey', 'latest transactions', chainId, address],
      queryFn: ({ signal }) => readLatestTransactions(app, { address, chainId, signal }),
      enabled: address !== '',
      staleTime: LATEST_LIFETIME_MS,
    },
    getQueryClient(app),
  )
  return data ?? none
}
