import { type App, getAllowances, prepareReviewedRevocation } from '@latchkey/core/internal'
import type { Allowance, ChainId } from '@latchkey/wire'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { planOptions } from './planOptions.ts'
import { getQueryClient } from './queries.ts'

/** How long a list stays fresh. */
const LIST_LIFETIME_MS = 30_000
/** The polling interval while the server still indexes the account's history. */
const INCOMPLETE_POLL_MS = 3_000

type AccountScope = { address: string | undefined; chainId: ChainId }

/** The fields that identify an allowance of an account. */
export const allowanceKey = ({ kind, token, tokenId, spender }: Allowance) =>
  [kind, token.address, tokenId, spender].join(' ')

/** The allowances of an account on a network. */
export const allowancesQuery = (app: App, { address, chainId }: AccountScope) =>
  infiniteQueryOptions({
    queryKey: ['latchkey', 'allowances', chainId, address],
    queryFn: ({ pageParam, signal }) =>
      getAllowances(app, { address: address ?? '', chainId, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: address !== undefined,
    staleTime: LIST_LIFETIME_MS,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.isComplete === false ? INCOMPLETE_POLL_MS : false,
  })

/** Refetches the allowances of an account, for example after a revocation. */
export const refreshAllowances = (app: App, { chainId }: { chainId: ChainId }): Promise<void> =>
  getQueryClient(app).invalidateQueries({ queryKey: ['latchkey', 'allowances', chainId] })

/** The cost of revoking allowances. Its errors are for the user to fix, so it is not retried. */
export const revocationQuery = (
  app: App,
  parameters: AccountScope & { allowances: readonly Allowance[] },
) =>
  queryOptions({
    queryKey: [
      'latchkey',
      'revocation',
      parameters.chainId,
      parameters.address,
      parameters.allowances.map(allowanceKey),
    ],
    queryFn: () => prepareReviewedRevocation(app, { allowances: parameters.allowances }),
    enabled: parameters.allowances.length > 0 && parameters.address !== undefined,
    ...planOptions,
  })
