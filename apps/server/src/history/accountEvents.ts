import { type ChainId, type HistorySync, type Namespace, parseChainId } from '@latchkey/wire'
import type { Asker } from '../activity/activity.ts'

type FollowedAccount = { readonly chainId: ChainId; readonly address: string }

/** Events of accounts, with the interface of the activity of EVM chains. */
export type AccountEvents = {
  /**
   * `quiet`: receives events that other listeners cause, and causes no reads itself; otherwise the
   * client that listens.
   */
  listen(
    account: FollowedAccount,
    listener: (event: { readonly type: 'changed' | 'sync' }) => void,
    by?: 'quiet' | Asker,
  ): () => void
  sync(account: FollowedAccount): Promise<HistorySync>
}

/** Joins the events of several namespaces. Accounts of other namespaces have no events. */
export const joinAccountEvents = (
  byNamespace: Partial<Record<Namespace, AccountEvents>>,
): AccountEvents => {
  const find = ({ chainId }: FollowedAccount) => byNamespace[parseChainId(chainId).namespace]
  return {
    listen: (account, listener, by) => find(account)?.listen(account, listener, by) ?? (() => {}),
    sync: async (account) =>
      (await find(account)?.sync(account)) ?? { complete: true, progress: 1, since: null },
  }
}
