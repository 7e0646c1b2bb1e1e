import { getPortfolio, portfolioLifetimeMs } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../app/queries.ts'
import { sumBalances } from '../app/sumBalances.ts'
import { useApp } from '../app/useApp.ts'
import { useHolder } from '../app/useHolder.ts'
import { useActivityNews } from '../views/account/useActivityNews.ts'
import { useNetwork } from './useNetwork.ts'

/**
 * The balances of a namespace's account, the active one unless set, on all the app's networks of that namespace: native currencies first, each
 * with its `chainId`. On a test network these are the test networks, elsewhere the real ones, so that play money never adds to real money.
 * `missing` are the networks whose balances are not known. `totalValue` is in dollars and excludes the `unpriced` tokens.
 */
export function usePortfolio({
  namespace,
  enabled = true,
}: {
  namespace?: Namespace
  enabled?: boolean
} = {}) {
  const app = useApp()
  const { address, network } = useHolder({ namespace })
  const networks = useNetwork().networks.filter(
    ({ chainNamespace, testnet }) =>
      chainNamespace === network.chainNamespace && !testnet === !network.testnet,
  )
  const chainIds = networks.map(({ caipNetworkId }) => caipNetworkId)
  const queryKey = ['portfolio', address, ...chainIds]
  const { data, error, isPending, isFetching, refetch } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => getPortfolio(app, { address: address ?? '', chainIds, signal }),
      enabled: enabled && address !== undefined,
      staleTime: portfolioLifetimeMs,
      refetchInterval: portfolioLifetimeMs,
    },
    getQueryClient(app),
  )
  useActivityNews((news) => {
    if (news.type !== 'changed' || news.address !== address || !enabled) return
    return getQueryClient(app).invalidateQueries({ queryKey })
  })
  return {
    networks,
    balances: data?.balances,
    missing: data?.missing ?? [],
    ...sumBalances(data?.balances ?? []),
    error,
    isPending: isPending && enabled && address !== undefined,
    isFetching,
    refetch,
  }
}
