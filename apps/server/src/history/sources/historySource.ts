import type { ChainId, HistorySync } from '@latchkey/wire'
import type {
  ActivityPage,
  ActivityPosition,
  Asker,
  FollowedAccount,
} from '../../activity/activity.ts'

/**
 * A request to a source: rows of one account on one chain, after a position, which may be of
 * another chain.
 */
export type PageQuery = FollowedAccount & {
  readonly after: ActivityPosition | undefined
  readonly limit: number
  /** The requesting client, if known. */
  readonly asker?: Asker | undefined
}

/**
 * A source of the transactions of one chain's accounts. `page` returns them newest first by time,
 * block and index; its `next` is undefined at the end. Both throw HISTORY_UNAVAILABLE or
 * RPC_UNAVAILABLE if they are not available now.
 */
export type HistorySource = {
  page(query: PageQuery): Promise<ActivityPage>
  sync(account: FollowedAccount): Promise<HistorySync>
}

/** The source of a chain; undefined if activity is off. */
export type GetHistorySource = (chainId: ChainId) => HistorySource | undefined
