import { useQuery } from '@tanstack/react-query'
import { callsQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import type { DataOptions } from '../dataOptions.ts'

/** The status of a batch of calls (EIP-5792), polled until it is final. */
export function useCallsStatus({
  id,
  query,
  ...holder
}: { id: string | undefined } & Pick<DataOptions, 'namespace' | 'query'>) {
  const app = useApp()
  const { chainNamespace } = useAccountScope(holder).network
  const enabled = id !== undefined && query?.enabled !== false
  const { data, error, status, isPending, isLoading, isFetching, refetch } = useQuery(
    { ...callsQuery(app, { id: id ?? '', namespace: chainNamespace }), ...query, enabled },
    getQueryClient(app),
  )
  return { data, error, status, isPending, isLoading, isFetching, refetch }
}
