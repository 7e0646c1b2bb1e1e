import {
  accountHistoryRoute,
  type ChainId,
  type HistorySync,
  type HistoryTransaction,
  isError,
  LatchkeyError,
} from '@latchkey/wire'
import { countEvent } from '../analytics/countEvent.ts'
import type { App } from '../app.ts'
import { showError } from '../modal/showError.ts'
import { callRoute } from '../server/callRoute.ts'
import { dedupeRead } from '../server/dedupeRead.ts'

/** A page of an account's transactions, newest first; `next` is the cursor of the next page. */
export type HistoryPage = {
  readonly transactions: readonly HistoryTransaction[]
  readonly next: string | undefined
  readonly sync: HistorySync | undefined
}

/**
 * Transactions of an account on a network, 50 per page, without those that move only unwanted NFTs.
 * Throws HISTORY_ADDRESS_MISSING, ABORTED, and HISTORY_FAILED with its cause, which is also a toast
 * until a request succeeds again.
 */
export async function getHistory(
  app: App,
  parameters: {
    address: string | undefined
    chainId: ChainId
    cursor?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<HistoryPage> {
  const { address, chainId, cursor, signal } = parameters
  if (!address) throw new LatchkeyError('HISTORY_ADDRESS_MISSING')
  const work = () => load(app, { address, chainId, cursor })
  return dedupeRead(app, { key: `history ${chainId}:${address} ${cursor ?? ''}`, work, signal })
}

async function load(
  app: App,
  { address, chainId, cursor }: { address: string; chainId: ChainId; cursor: string | undefined },
): Promise<HistoryPage> {
  try {
    const { data, next, sync } = await callRoute(app, {
      route: accountHistoryRoute,
      params: { address },
      query: { currency: 'usd', chainId, cursor },
    })
    app.runtime.isHistoryFailureShown = false
    return {
      transactions: data.filter((transaction) => isVisible(transaction, chainId)),
      next: next ?? undefined,
      sync,
    }
  } catch (cause) {
    if (isError(cause, 'ABORTED')) throw cause
    const error = new LatchkeyError('HISTORY_FAILED', { cause })
    if (!app.runtime.isHistoryFailureShown) {
      showError(app, error)
      countEvent(app, { event: 'ERROR_FETCH_TRANSACTIONS' })
    }
    app.runtime.isHistoryFailureShown = true
    throw error
  }
}

/** Whether to show a transaction: it belongs to the network, and moved more than unwanted NFTs. */
export function isVisible(transaction: HistoryTransaction, chainId: ChainId): boolean {
  const { metadata, transfers } = transaction
  if (metadata.chain !== chainId) return false
  if (transfers.length === 0) return true
  return !transfers.every(({ nft_info }) => nft_info?.flags.is_spam)
}
