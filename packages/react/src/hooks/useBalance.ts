import type { Balance } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { balancesQuery, queryClientOf, refreshBalances } from '../queries.ts'
import { useAccount } from './useAccount.ts'
import { useApp } from './useApp.ts'
import { useNetwork } from './useNetwork.ts'

/**
 * What the account holds on the selected network, native first. `totalValue` is in dollars, absent where not one price
 * is known. `refresh` asks again past every cache.
 */
export function useBalance() {
  const app = useApp()
  const { address } = useAccount()
  const chainId = useNetwork().network.caipNetworkId
  const { data, error, isPending, isFetching, refetch } = useQuery(
    balancesQuery(app, { address, chainId }),
    queryClientOf(app),
  )
  return {
    balances: data,
    native: data?.find((entry) => entry.address === undefined),
    totalValue: data && totalOf(data),
    error,
    isPending: isPending && address !== undefined,
    isFetching,
    refetch,
    refresh: useCallback(() => refreshBalances(app, { address, chainId }), [app, address, chainId]),
  }
}

function totalOf(balances: readonly Balance[]): number | undefined {
  const values = balances.map(({ value }) => value).filter((value) => value !== undefined)
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}
