import { accountHistoryRoute, type ChainId, type HistoryTransaction } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'

/**
 * The paid purchases of an account on a network, newest first, at most 50. `sentFrom` is the
 * provider's name, and `hash` is empty until the provider has sent. Throws the errors of
 * `callRoute`.
 */
export async function getPurchases(
  app: App,
  {
    address,
    chainId,
    signal,
  }: { address: string; chainId: ChainId; signal?: AbortSignal | undefined },
): Promise<readonly HistoryTransaction[]> {
  const { data } = await callRoute(app, {
    route: accountHistoryRoute,
    params: { address },
    query: { currency: 'usd', chainId, onramp: 'all' },
    signal,
  })
  return data.filter(({ metadata }) => metadata.chain === chainId)
}
