import type { ChainId } from '@latchkey/wire'
import { getCurrentClient } from '../http/currentClient.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import { createFairQueue, QueueFull } from '../shares/createFairQueue.ts'

/** The number of pages that are read at once, in total and per client, and of pages that wait. */
const limits = { atOnce: 8, perKey: 4, waiting: 500 }

/**
 * Creates a queue for pages that need many requests to nodes. Throws RPC_UNAVAILABLE if the turn of
 * a page does not come.
 */
export function createPageTurns() {
  const queue = createFairQueue(limits)
  return <Page>(chainId: ChainId, read: () => Promise<Page>): Promise<Page> =>
    queue(getCurrentClient() ?? '', read).catch((error: unknown) => {
      throw error instanceof QueueFull ? rpcUnavailable(chainId) : error
    })
}
