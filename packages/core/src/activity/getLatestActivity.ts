import {
  accountHistoryRoute,
  type ChainId,
  type HistoryTransaction,
  type Namespace,
} from '@latchkey/wire'
import { listAccounts } from '../account/listAccounts.ts'
import type { App } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { callRoute } from '../server/callRoute.ts'
import { getAreas } from '../server/getAreas.ts'
import { isVisible } from './getHistory.ts'

/** A connected account on networks whose activity one request returns. */
export type FollowedAccount = {
  /** Identifies it, with its network if each of them needs a request. */
  readonly key: string
  readonly namespace: Namespace
  readonly address: string
  readonly chainIds: readonly ChainId[]
}

/**
 * The accounts of all connected wallets on all networks whose activity the server lists, one entry
 * for each request that is needed. Throws the errors of `callRoute`.
 */
export async function listFollowedAccounts(app: App): Promise<readonly FollowedAccount[]> {
  const areasOf = await getAreas(app)
  const state = app.store.getState()
  return listAccounts(state).flatMap(({ namespace, address }): readonly FollowedAccount[] => {
    const chainIds = state.networks.flatMap(({ chainNamespace, caipNetworkId: chainId }) => {
      if (chainNamespace !== namespace) return []
      return getCapabilities(app, { chainId, areas: areasOf(chainId) }).history ? [chainId] : []
    })
    if (namespaceMetadata[namespace].hasJointActivity && chainIds.length > 0)
      return [{ key: `${namespace}:${address}`, namespace, address, chainIds }]
    return chainIds.map((chainId) => {
      return { key: `${chainId}:${address}`, namespace, address, chainIds: [chainId] }
    })
  })
}

/**
 * The newest transactions of an account, at most 50, without those that move only unwanted NFTs.
 * Throws the errors of `callRoute`, and shows none of them.
 */
export async function getLatestActivity(
  app: App,
  { address, chainIds, signal }: FollowedAccount & { signal?: AbortSignal | undefined },
): Promise<readonly HistoryTransaction[]> {
  const chainId = chainIds.length === 1 ? chainIds[0] : undefined
  const { data } = await callRoute(app, {
    route: accountHistoryRoute,
    params: { address },
    query: { currency: 'usd', chainId },
    signal,
  })
  return data.filter((transaction) => chainIds.some((id) => isVisible(transaction, id)))
}
