import { isConnected } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { capabilitiesQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import type { DataOptions } from '../dataOptions.ts'

/** The connected wallet's batch capabilities on the selected network (EIP-5792). */
export function useCapabilities({ query }: Pick<DataOptions, 'query'> = {}) {
  const app = useApp()
  const { address, chainId, network } = useAccountScope()
  // The same account gets more features once its smart account is enabled.
  const type = useAppState(({ connections }) => {
    const connection = connections[network.chainNamespace]
    return isConnected(connection) ? connection.account.type : undefined
  })
  const enabled = address !== undefined && query?.enabled !== false
  const { data, error, status, isPending, isLoading, isFetching, refetch } = useQuery(
    { ...capabilitiesQuery(app, { address, chainId, type }), ...query, enabled },
    getQueryClient(app),
  )
  return { data, error, status, isPending, isLoading, isFetching, refetch }
}
