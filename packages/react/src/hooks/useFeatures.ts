import { useQuery } from '@tanstack/react-query'
import { areasQuery } from '../app/queries/accountQueries.ts'
import { getQueryClient } from '../app/queries/queries.ts'
import { useAccountScope } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import type { DataOptions } from './dataOptions.ts'

/**
 * The parts of the product that the server has for a network, by default the selected network, each
 * with its state.
 */
export function useFeatures({ query, ...holder }: Pick<DataOptions, 'chainId' | 'query'> = {}) {
  const app = useApp()
  const { chainId } = useAccountScope(holder)
  const { data, error, status, isPending, isLoading, isFetching, refetch } = useQuery(
    { ...areasQuery(app, { chainId }), ...query },
    getQueryClient(app),
  )
  return { data, error, status, isPending, isLoading, isFetching, refetch }
}
