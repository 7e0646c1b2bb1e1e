import { balanceRetryBlockMs } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { balancesQuery, refreshBalances } from '../app/queries/accountQueries.ts'
import { getQueryClient } from '../app/queries/queries.ts'
import { sumBalances } from '../app/sumBalances.ts'
import { useAccountScope } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import { useAppCapabilities } from '../app/useAppCapabilities.ts'
import { useAppState } from '../app/useAppState.ts'
import { useSecondsUntil } from '../app/useSecondsUntil.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'
import type { DataOptions } from './dataOptions.ts'

/**
 * The balances of an account on a network, by default the connected account on the selected
 * network: native currency first, kept up to date. `dataUpdatedAt` is when they were last read, in
 * ms. `totalValue` is in dollars, undefined if no price is known, and excludes the `unpriced`
 * tokens. `failedAtMs` is set while the server cannot provide the tokens and only the native
 * balance is known; `refetch` tries again once `retryInSeconds` is 0. `refresh` bypasses every
 * cache, and never rejects. If the network has no source for balances, `isAvailable` is false and
 * nothing is requested.
 */
export function useBalances({ query, ...holder }: DataOptions = {}) {
  const app = useApp()
  const { address, chainId } = useAccountScope(holder)
  const { balances: isAvailable } = useAppCapabilities(chainId)
  const enabled = isAvailable && address !== undefined && query?.enabled !== false
  const result = useQuery(
    { ...balancesQuery(app, { address, chainId }), ...query, enabled },
    getQueryClient(app),
  )
  const { data, dataUpdatedAt, error, status, isPending, isLoading, isFetching, refetch } = result
  const failedAtMs = useAppState((state) => state.balancesFailedAtMs[`${chainId}:${address}`])
  useActivityNews((news) => {
    if (news.type !== 'changed' || news.chainId !== chainId || news.address !== address) return
    // If it fails now, the next refresh reads it.
    return isAvailable ? refreshBalances(app, { address, chainId }) : undefined
  })
  return {
    data,
    dataUpdatedAt,
    error,
    status,
    isPending,
    isLoading,
    isFetching,
    refetch,
    native: data?.find((entry) => entry.address === undefined),
    ...sumBalances(data ?? []),
    failedAtMs,
    retryInSeconds: useSecondsUntil(
      failedAtMs === undefined ? 0 : failedAtMs + balanceRetryBlockMs,
    ),
    isAvailable,
    refresh: useCallback(
      // The query then has the error.
      () => refreshBalances(app, { address, chainId }).catch(() => void refetch()),
      [app, address, chainId, refetch],
    ),
  }
}
