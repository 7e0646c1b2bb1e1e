import type { Balance, ChainId } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/**
 * What an account holds on a network, native first; at most 30 s old unless `forceUpdate`. When the server fails a toast
 * says so, it is left alone for 30 s, and the node's native balance stands in; without that either the error is thrown.
 * A server that does not know the network is told of once and not asked for it again.
 */
export const getBalances = (
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<readonly Balance[]> =>
  attempt(async () => (await import('./readBalances.ts')).readBalances(app, parameters))
