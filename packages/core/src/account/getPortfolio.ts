import { accountBalanceRoute, type Balance, type ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { dedupeRead } from '../server/dedupeRead.ts'
import { getAreas } from '../server/getAreas.ts'

/**
 * The balances of an account on several networks. `missing`: the networks whose balances are
 * unknown.
 */
export type Portfolio = {
  readonly balances: readonly (Balance & { readonly chainId: ChainId })[]
  readonly missing: readonly ChainId[]
}

/**
 * The balances of an account on networks of its namespace, native currencies first, in a single
 * request. Networks that the server does not support or could not read are `missing`. Throws the
 * error that the response stands for, and ABORTED.
 */
export function getPortfolio(
  app: App,
  parameters: {
    address: string
    chainIds: readonly ChainId[]
    signal?: AbortSignal | undefined
  },
): Promise<Portfolio> {
  const { address, chainIds, signal } = parameters
  const work = () => load(app, { address, chainIds })
  return dedupeRead(app, { key: `portfolio ${address} ${chainIds.join()}`, work, signal })
}

async function load(
  app: App,
  { address, chainIds }: { address: string; chainIds: readonly ChainId[] },
): Promise<Portfolio> {
  const areasOf = await getAreas(app)
  const asked = chainIds.filter((chainId) => areasOf(chainId).balance?.on === true)
  if (asked.length === 0) return { balances: [], missing: chainIds }
  const { balances, unavailable = [] } = await callRoute(app, {
    route: accountBalanceRoute,
    params: { address },
    query: { currency: 'usd' },
  })
  return {
    balances: balances.flatMap((balance) => {
      const chainId = asked.find((id) => id === balance.chainId)
      return chainId && balance.quantity.decimals !== '0' ? [{ ...balance, chainId }] : []
    }),
    missing: chainIds.filter((id) => !asked.includes(id) || unavailable.includes(id)),
  }
}
