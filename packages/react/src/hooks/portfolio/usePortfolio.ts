import { useQuery } from '@tanstack/react-query'
import { portfolioQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { sumBalances } from '../../app/sumBalances.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useActivityNews } from '../../views/account/useActivityNews.ts'
import type { DataOptions } from '../dataOptions.ts'
import { useNetwork } from '../useNetwork.ts'

/**
 * The balances of an account, by default the connected account, on all networks of its namespace
 * that the app has: native currencies first, each with its `chainId`. If the current network is a
 * test network, these are the test networks, otherwise the real networks, so that play money never
 * adds to real money. `missing` are the networks whose balances are unknown. `totalValue` is in
 * dollars and excludes the `unpriced` tokens.
 */
export function usePortfolio({
  query,
  ...holder
}: Pick<DataOptions, 'namespace' | 'address' | 'query'> = {}) {
  const app = useApp()
  const { address, network } = useAccountScope(holder)
  const networks = useNetwork().networks.filter(
    ({ chainNamespace, testnet }) =>
      chainNamespace === network.chainNamespace && !testnet === !network.testnet,
  )
  const chainIds = networks.map(({ caipNetworkId }) => caipNetworkId)
  const read = portfolioQuery(app, { address: address ?? '', chainIds })
  const enabled = address !== undefined && query?.enabled !== false
  const { data, error, status, isPending, isLoading, isFetching, refetch } = useQuery(
    { ...read, ...query, enabled },
    getQueryClient(app),
  )
  useActivityNews((news) => {
    if (news.type !== 'changed' || news.address !== address || !enabled) return
    return getQueryClient(app).invalidateQueries({ queryKey: read.queryKey })
  })
  return {
    networks,
    data: data?.balances,
    error,
    status,
    isPending,
    isLoading,
    isFetching,
    refetch,
    missing: data?.missing ?? [],
    ...sumBalances(data?.balances ?? []),
  }
}
