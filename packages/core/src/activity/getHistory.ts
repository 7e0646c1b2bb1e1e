import type { ChainId, HistorySync, HistoryTransaction } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** A page of an account's transactions, newest first; `next` asks for the page after it. */
export type HistoryPage = {
  readonly transactions: readonly HistoryTransaction[]
  readonly next: string | undefined
  readonly sync: HistorySync | undefined
}

/**
 * Transactions of an account on a network, 50 a page, without those that are nothing but unwanted NFTs. Throws
 * HISTORY_ADDRESS_MISSING, ABORTED, and HISTORY_FAILED with its cause, which is also a toast
 * until one succeeds again.
 */
export const getHistory = (
  app: App,
  parameters: {
    address: string | undefined
    chainId: ChainId
    cursor?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<HistoryPage> =>
  attempt(async () => (await import('./readHistory.ts')).readHistory(app, parameters))
