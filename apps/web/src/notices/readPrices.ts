import { type App, getPortfolio } from '@latchkey/core'
import type { FollowedAccount } from '@latchkey/react'

/** Prices in dollars by `getPriceKey`. */
export type Prices = ReadonlyMap<string, number>

/** The key of a token's price; without a token (CAIP-10), of the network's native currency. */
export const getPriceKey = (chainId: string | null, token: string | undefined): string =>
  (token ?? chainId ?? '').toLowerCase()

/** The present prices of what an account holds; none if they cannot be read now. */
export async function readPrices(
  app: App,
  { address, chainIds, signal }: FollowedAccount & { signal: AbortSignal },
): Promise<Prices> {
  const portfolio = await getPortfolio(app, { address, chainIds, signal }).catch(() => undefined)
  return new Map(
    portfolio?.balances.flatMap(({ chainId, address: token, price }) =>
      price === undefined ? [] : [[getPriceKey(chainId, token), price] as const],
    ),
  )
}
