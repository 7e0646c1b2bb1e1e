import { type App, getPortfolioHistory, getPriceHistory } from '@latchkey/core/internal'
import type { ChainId, PricePeriod } from '@latchkey/wire'
import { queryOptions } from '@tanstack/react-query'

/** How long earlier prices stay fresh: the points are at least half an hour apart. */
const HISTORY_LIFETIME_MS = 5 * 60_000

type Token = { chainId: ChainId; token: string | undefined; period: PricePeriod }

/** The price history of a token (CAIP-10, absent for the native currency) during a period. */
export const priceHistoryQuery = (app: App, { chainId, token, period }: Token) =>
  queryOptions({
    queryKey: ['latchkey', 'prices', chainId, token ?? 'native', period],
    queryFn: ({ signal }) => getPriceHistory(app, { chainId, token, period, signal }),
    staleTime: HISTORY_LIFETIME_MS,
  })

type Account = {
  chainIds: readonly ChainId[]
  address: string | undefined
  period: PricePeriod
}

/** The value history of an account on networks during a period. */
export const valueHistoryQuery = (app: App, { chainIds, address, period }: Account) =>
  queryOptions({
    queryKey: ['latchkey', 'value', ...chainIds, address, period],
    queryFn: ({ signal }) =>
      getPortfolioHistory(app, { chainIds, address: address ?? '', period, signal }),
    enabled: address !== undefined,
    staleTime: HISTORY_LIFETIME_MS,
  })
