import { mergePurchases } from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { openOrdersQuery, purchasesQuery } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'

const none: readonly HistoryTransaction[] = []

/**
 * The account's transactions merged with its purchases, except those that {@link OpenOrders} shows.
 */
export function usePurchases({
  data: transactions,
  hasNextPage: hasMore,
}: {
  data: readonly HistoryTransaction[] | undefined
  hasNextPage: boolean
}): readonly HistoryTransaction[] | undefined {
  const app = useApp()
  const client = getQueryClient(app)
  const { address, chainId } = useAccountScope()
  const { onramp } = useAppCapabilities()
  const enabled = onramp && address !== undefined
  const options = purchasesQuery(app, { address, chainId })
  const { data: purchases = none } = useQuery({ ...options, enabled }, client)
  const { data: orders } = useQuery(openOrdersQuery(app, { address, chainId }), client)
  return useMemo(() => {
    const shown = new Set(orders?.map(({ createdAt }) => createdAt))
    return transactions && mergePurchases(transactions, { purchases, shown, hasMore })
  }, [transactions, purchases, orders, hasMore])
}
