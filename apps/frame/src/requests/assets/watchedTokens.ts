import { withLock } from '../../auth/deviceKey.ts'
import type { KeyStore } from '../../wallet/keyStore.ts'

/**
 * The tokens that the user has added for an account on the pages of one origin, stored in this
 * browser per network. Other origins cannot read them, because a list that all pages can read would
 * identify the user on each of them.
 */
export type WatchedTokens = {
  /** Addresses in lower case. */
  read(chainId: string): Promise<readonly string[]>
  add(chainId: string, token: string): Promise<void>
  remove(chainId: string, token: string): Promise<void>
}

/** The maximum number of tokens per network; a new token replaces the oldest. */
const maxWatched = 50

/** Creates the list of an EVM account at an origin. */
export function createWatchedTokens(
  store: KeyStore,
  { origin, account }: { readonly origin: string; readonly account: string },
): WatchedTokens {
  const key = (chainId: string) => `watched ${origin} ${chainId} ${account.toLowerCase()}`
  const read = async (chainId: string) => {
    const found = await store.get(key(chainId))
    return Array.isArray(found) ? (found as string[]) : []
  }
  /**
   * Reads and writes in one step, so that nothing that another tab stores in the meantime is lost.
   */
  const replace = (chainId: string, token: string, by: readonly string[]) =>
    withLock(key(chainId), async () => {
      const others = (await read(chainId)).filter((one) => one !== token)
      await store.put(key(chainId), [...others, ...by].slice(-maxWatched))
    })
  return {
    read,
    add: (chainId, token) => replace(chainId, token.toLowerCase(), [token.toLowerCase()]),
    remove: (chainId, token) => replace(chainId, token.toLowerCase(), []),
  }
}
