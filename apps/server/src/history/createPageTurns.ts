import type { ChainId } from '@latchkey/wire'
import { getCurrentClient } from '../http/currentClient.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import { createFairQueue, QueueFull } from '../shares/createFairQueue.ts'

/** Pages that are read at once, in total and of one client, and pages that wait. */
const limits = { atOnce: 8, perKey: 4, waiting: 500 }

/**
 * Creates turns for pages whose reading takes many requests to nodes. Throws RPC_UNAVAILABLE if the
 * turn of a page does not come.
 */
export function createPageTurns() {
  const queue = createFairQueue(limits)
  return <Page>(chainId: ChainId, read: () => Promise<Page>): Promise<Page> =>
    queue(getCurrentClient() ?? '', read).catch((error: unknown) => {
      throw error instanceof QueueFull ? rpcUnavailable(chainId) : error
    })
}
