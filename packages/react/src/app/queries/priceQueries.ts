import {
  type AccountOnNetworks,
  type App,
  getPortfolioHistory,
  getPriceHistory,
  getToken,
} from '@latchkey/core/internal'
import type { ChainId, PricePeriod } from '@latchkey/wire'
import { queryOptions } from '@tanstack/react-query'

/** How long earlier prices stay fresh: the points are at least half an hour apart. */
const HISTORY_LIFETIME_MS = 5 * 60_000
/** How long the facts of a token stay fresh, of which only the price changes. */
const TOKEN_LIFETIME_MS = 60_000

type Token = { chainId: ChainId; token: string | undefined; period: PricePeriod }

/** The facts of a token by its contract; null if the server has no prices in the namespace. */
export const tokenQuery = (
  app: App,
  { chainId, address }: { chainId: ChainId; address: string | undefined },
) =>
  queryOptions({
    queryKey: ['latchkey', 'token', chainId, address ?? 'native'],
    queryFn: async ({ signal }) => (await getToken(app, { chainId, address, signal })) ?? null,
    staleTime: TOKEN_LIFETIME_MS,
  })

/** The price history of a token (CAIP-10, absent for the native currency) during a period. */
export const priceHistoryQuery = (app: App, { chainId, token, period }: Token) =>
  queryOptions({
    queryKey: ['latchkey', 'prices', chainId, token ?? 'native', period],
    queryFn: ({ signal }) => getPriceHistory(app, { chainId, token, period, signal }),
    staleTime: HISTORY_LIFETIME_MS,
  })

/** The value history of accounts on networks during a period. */
export const valueHistoryQuery = (
  app: App,
  { accounts, period }: { accounts: readonly AccountOnNetworks[]; period: PricePeriod },
) =>
  queryOptions({
    queryKey: ['latchkey', 'value', accounts, period],
    queryFn: ({ signal }) => getPortfolioHistory(app, { accounts, period, signal }),
    enabled: accounts.length > 0,
    staleTime: HISTORY_LIFETIME_MS,
  })
