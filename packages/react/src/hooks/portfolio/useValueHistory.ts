import type { Network } from '@latchkey/core'
import type { PricePeriod } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { valueHistoryQuery } from '../../app/queries/priceQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'

/** An account, and networks of its namespace. */
export type ValuedAccount = { address: string; networks: readonly Network[] }

/**
 * The value of accounts in dollars over a period until now, added up, earliest first. `points` is
 * null if the server follows none of the networks; `missing` are the networks that are not counted,
 * because their earlier value is unknown.
 */
export function useValueHistory({
  accounts,
  period,
  enabled = true,
}: {
  accounts: readonly ValuedAccount[]
  period: PricePeriod
  enabled?: boolean
}) {
  const app = useApp()
  const asked = accounts.map(({ address, networks }) => ({
    address,
    chainIds: networks.map(({ caipNetworkId }) => caipNetworkId),
  }))
  const { data, error, status, isPending, isLoading, isFetching, isError, refetch } = useQuery(
    {
      ...valueHistoryQuery(app, { accounts: asked, period }),
      enabled: enabled && asked.length > 0,
    },
    getQueryClient(app),
  )
  return { data, error, status, isPending, isLoading, isFetching, isError, refetch }
}
