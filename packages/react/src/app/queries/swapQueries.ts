import {
  type App,
  forgetSwap,
  getMaxSwap,
  getSentSwaps,
  getSwapPrices,
  getSwapTokens,
  prepareReviewedSwap,
  quoteSwap,
  type SwapParameters,
  type SwapToken,
} from '@latchkey/core/internal'
import { type ChainId, isError } from '@latchkey/wire'
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { AccountScope } from './accountQueries.ts'
import { planOptions } from './planOptions.ts'
import { getQueryClient } from './queries.ts'

/** How often a price is refetched (specification §9). */
const QUOTE_LIFETIME_MS = 10_000
const TOKENS_LIFETIME_MS = 5 * 60_000
const PRICE_LIFETIME_MS = 30_000
const RETRIES = 2

type Token = { address?: string }

/** The current quote for an amount; refetched while it is shown. */
export const swapQuoteQuery = (
  app: App,
  { chainId, from, to, amount }: { chainId: ChainId; from?: Token; to?: Token; amount: bigint },
) =>
  queryOptions({
    queryKey: ['latchkey', 'swapQuote', chainId, from?.address, to?.address, String(amount)],
    queryFn: ({ signal }) =>
      quoteSwap(app, { chainId, from: from ?? {}, to: to ?? {}, amount, signal }),
    enabled: from !== undefined && to !== undefined && amount > 0n,
    staleTime: QUOTE_LIFETIME_MS,
    refetchInterval: QUOTE_LIFETIME_MS,
    gcTime: 0,
    retry: (failures, error) => failures < RETRIES && isPassing(error),
  })

/** Whether a retry may help. */
const isPassing = (error: unknown) =>
  !(['SWAP_REFUSED', 'SWAP_UNSUPPORTED', 'SWAP_ALTERED'] as const).some((code) =>
    isError(error, code),
  )

/** A prepared and checked swap. Its errors are for the user to fix, so it is not retried. */
export const swapPlanQuery = (
  app: App,
  { address, chainId, swap }: AccountScope & { swap: SwapParameters | undefined },
) =>
  queryOptions({
    queryKey: ['latchkey', 'swapPlan', chainId, address, swap],
    queryFn: swap && address ? () => prepareReviewedSwap(app, swap) : skipToken,
    ...planOptions,
  })

/**
 * The tokens that can be swapped on a network; with an address, only the token there, listed or
 * not.
 */
export const swapTokensQuery = (
  app: App,
  { chainId, address }: { chainId: ChainId; address?: string | undefined },
) =>
  queryOptions({
    queryKey: ['latchkey', 'swapTokens', chainId, address?.toLowerCase()],
    queryFn: ({ signal }) => getSwapTokens(app, { chainId, ...(address && { address }), signal }),
    staleTime: TOKENS_LIFETIME_MS,
  })

/**
 * The account's balance of a token as a decimal string, read from the chain because the server only
 * lists tokens that it knows.
 */
export const heldQuery = (
  app: App,
  { address, chainId, token }: AccountScope & { token: SwapToken | undefined },
) =>
  queryOptions({
    queryKey: ['latchkey', 'swapHeld', chainId, address, token?.address?.toLowerCase()],
    queryFn: token && address ? () => getMaxSwap(app, { token }) : skipToken,
    staleTime: QUOTE_LIFETIME_MS,
    retry: RETRIES,
  })

/** How often to check whether the wallet has responded. */
const ANSWER_POLL_MS = 1_000

/**
 * The account's swaps whose outcome is unknown, including swaps of other tabs and from before a
 * reload.
 */
export const sentSwapsQuery = (app: App, { address, chainId }: AccountScope) =>
  queryOptions({
    queryKey: ['latchkey', 'sentSwaps', chainId, address],
    queryFn: () => (address === undefined ? [] : getSentSwaps(app, { address, chainId })),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ hash, callsId }) => !hash && !callsId) ? ANSWER_POLL_MS : false,
  })

/** Removes a swap from all lists of swaps. */
export const dropSwap = (app: App, { id }: { id: number | string }): Promise<void> => {
  forgetSwap(app, { id })
  return getQueryClient(app).invalidateQueries({ queryKey: ['latchkey', 'sentSwaps'] })
}

/** Prices in dollars of the two tokens of a swap, if known. */
export const swapPricesQuery = (
  app: App,
  { chainId, tokens }: { chainId: ChainId; tokens: readonly Token[] },
) =>
  queryOptions({
    queryKey: [
      'latchkey',
      'swapPrices',
      chainId,
      ...tokens.map(({ address }) => address ?? 'native'),
    ],
    queryFn: ({ signal }) => getSwapPrices(app, { chainId, tokens, signal }),
    enabled: tokens.length > 0,
    staleTime: PRICE_LIFETIME_MS,
    retry: false,
  })
