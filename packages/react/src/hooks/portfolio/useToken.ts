import { useQuery } from '@tanstack/react-query'
import { areasQuery } from '../../app/queries/accountQueries.ts'
import { tokenQuery } from '../../app/queries/priceQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import type { DataOptions } from '../dataOptions.ts'

/**
 * The name, symbol, decimals and price in dollars of a token, whether or not an account holds it.
 * `address` is the token's contract; without it, the network's native currency. A contract can have
 * any name. Undefined if the server has no prices for the network.
 */
export function useToken({
  address,
  query,
  ...holder
}: Pick<DataOptions, 'chainId' | 'query'> & { address?: string | undefined } = {}) {
  const app = useApp()
  const client = getQueryClient(app)
  const { chainId } = useAccountScope(holder)
  const { data: areas } = useQuery(areasQuery(app, { chainId }), client)
  const enabled = areas?.prices?.on === true && query?.enabled !== false
  const { data, error, status, isPending, isLoading, isFetching, refetch } = useQuery(
    { ...tokenQuery(app, { chainId, address }), ...query, enabled },
    client,
  )
  return { data: data ?? undefined, error, status, isPending, isLoading, isFetching, refetch }
}
