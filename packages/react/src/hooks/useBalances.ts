import { balanceRetryBlockMs } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { balancesQuery, refreshBalances } from '../app/accountQueries.ts'
import { getQueryClient } from '../app/queries.ts'
import { sumBalances } from '../app/sumBalances.ts'
import { useApp } from '../app/useApp.ts'
import { useAppCapabilities } from '../app/useAppCapabilities.ts'
import { useAppState } from '../app/useAppState.ts'
import { useHolder } from '../app/useHolder.ts'
import { useSecondsUntil } from '../app/useSecondsUntil.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'

/**
 * The balances of a namespace's account, the active one unless set, on its network: native first, kept up to date. `totalValue` is in dollars,
 * undefined if no price is known, and excludes the `unpriced` tokens. `failedAtMs` is set while the server cannot
 * provide the tokens and only the native balance is shown; `refetch` asks again once `retryInSeconds` is 0.
 * `refresh` bypasses every cache. Where nothing can tell balances, `isAvailable` is false and nothing is requested.
 */
export function useBalances({ namespace }: { namespace?: Namespace } = {}) {
  const app = useApp()
  const { address, chainId } = useHolder({ namespace })
  const { balances: isAvailable } = useAppCapabilities(chainId)
  const query = balancesQuery(app, { address, chainId })
  const { data, error, isPending, isFetching, refetch } = useQuery(
    { ...query, enabled: isAvailable && address !== undefined },
    getQueryClient(app),
  )
  const failedAtMs = useAppState((state) => state.balancesFailedAtMs[`${chainId}:${address}`])
  useActivityNews((news) => {
    if (news.type !== 'changed' || news.chainId !== chainId || news.address !== address) return
    // If it fails now, the next refresh reads it.
    return isAvailable ? refreshBalances(app, { address, chainId }) : undefined
  })
  return {
    balances: data,
    native: data?.find((entry) => entry.address === undefined),
    ...sumBalances(data ?? []),
    failedAtMs,
    retryInSeconds: useSecondsUntil(
      failedAtMs === undefined ? 0 : failedAtMs + balanceRetryBlockMs,
    ),
    error,
    isPending: isPending && isAvailable && address !== undefined,
    isAvailable,
    isFetching,
    refetch,
    refresh: useCallback(() => refreshBalances(app, { address, chainId }), [app, address, chainId]),
  }
}
