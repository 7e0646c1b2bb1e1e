import { type ChainId, type HistorySync, type Namespace, parseChainId } from '@latchkey/wire'
import type { Asker } from '../activity/activity.ts'

type FollowedAccount = { readonly chainId: ChainId; readonly address: string }

/** Events of accounts, as the activity of EVM chains reports them. */
export type AccountEvents = {
  /**
   * `quiet`: receives events that other listeners cause, and causes no reads of its own; otherwise
   * the client that listens.
   */
  listen(
    account: FollowedAccount,
    listener: (event: { readonly type: 'changed' | 'sync' }) => void,
    by?: 'quiet' | Asker,
  ): () => void
  sync(account: FollowedAccount): Promise<HistorySync>
}

/** The news of several namespaces as one. Accounts of others have none. */
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
