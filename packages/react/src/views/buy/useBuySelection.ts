import { emptyBuyDraft, selectPurchase } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { buyOptionsQuery } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'

/**
 * The state of the purchase form on the selected network. `selection` is undefined while it loads,
 * and if nothing is sold.
 */
export function useBuySelection() {
  const app = useApp()
  const holder = useAccountScope()
  const draft = useAppState(({ buyDraft }) => buyDraft) ?? emptyBuyDraft
  const { data: options, ...query } = useQuery(
    buyOptionsQuery(app, { chainId: holder.chainId }),
    getQueryClient(app),
  )
  const selection = options && selectPurchase(options, draft)
  return { ...holder, draft, options, selection, hasFailed: query.isError, retry: query.refetch }
}
