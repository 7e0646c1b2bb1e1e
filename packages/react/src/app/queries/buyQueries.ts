import {
  type App,
  getBuyOptions,
  getBuyQuote,
  getOrder,
  getPurchases,
  getSavedOrders,
  isOrderOver,
  type Purchase,
} from '@latchkey/core/internal'
import type { ChainId } from '@latchkey/wire'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { getQueryClient } from './queries.ts'

/** How long a price is shown before it is refetched. */
const QUOTE_LIFETIME_MS = 20_000
const OPTIONS_LIFETIME_MS = 300_000
/** The polling interval of an unfinished order. */
const ORDER_POLL_MS = 2_500
const PURCHASES_POLL_MS = 10_000

type AccountScope = { address: string | undefined; chainId: ChainId }

/** The buying options on a network. */
export const buyOptionsQuery = (app: App, { chainId }: { chainId: ChainId }) =>
  queryOptions({
    queryKey: ['latchkey', 'buy', 'options', chainId],
    queryFn: ({ signal }) => getBuyOptions(app, { chainId, signal }),
    staleTime: OPTIONS_LIFETIME_MS,
  })

/** The current quote for a purchase. */
export const buyQuoteQuery = (app: App, { purchase }: { purchase: Purchase | undefined }) =>
  queryOptions({
    queryKey: ['latchkey', 'buy', 'quote', purchase],
    queryFn: purchase ? ({ signal }) => getBuyQuote(app, { purchase, signal }) : skipToken,
    staleTime: QUOTE_LIFETIME_MS,
    refetchInterval: QUOTE_LIFETIME_MS,
    gcTime: QUOTE_LIFETIME_MS,
    retry: false,
  })

/** The status of an order; null if the server does not know it. Polls until the order has ended. */
export const orderQuery = (app: App, { id }: { id: string }) =>
  queryOptions({
    queryKey: ['latchkey', 'buy', 'order', id],
    queryFn: async ({ signal }) => (await getOrder(app, { id, signal })) ?? null,
    refetchInterval: ({ state: { data } }) =>
      data === null || (data && isOrderOver(data)) ? false : ORDER_POLL_MS,
  })

/** The unfinished orders of this browser, without those that cannot be read now. */
export const openOrdersQuery = (app: App, { address, chainId }: AccountScope) =>
  queryOptions({
    queryKey: ['latchkey', 'buy', 'orders', chainId, address],
    queryFn: async ({ signal }) => {
      const saved = getSavedOrders(app, { address: address ?? '', chainId })
      const found = await Promise.all(
        saved.map(({ id }) => getOrder(app, { id, signal }).catch(() => undefined)),
      )
      return found.filter((order) => order !== undefined).filter((order) => !isOrderOver(order))
    },
    enabled: address !== undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.length ? ORDER_POLL_MS : false),
  })

/** The paid purchases of an account; polls while any of them is pending. */
export const purchasesQuery = (app: App, { address, chainId }: AccountScope) =>
  queryOptions({
    queryKey: ['latchkey', 'buy', 'purchases', chainId, address],
    queryFn: ({ signal }) => getPurchases(app, { address: address ?? '', chainId, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ metadata }) => metadata.status === 'pending') ? PURCHASES_POLL_MS : false,
  })

/** Refetches the orders that this browser has begun, and the account's purchases. */
export async function refreshPurchases(app: App): Promise<void> {
  const client = getQueryClient(app)
  await Promise.all([
    client.invalidateQueries({ queryKey: ['latchkey', 'buy', 'orders'] }),
    client.invalidateQueries({ queryKey: ['latchkey', 'buy', 'purchases'] }),
  ])
}
