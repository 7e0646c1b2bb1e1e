import type { KeyStore } from '../../wallet/keyStore.ts'

/** The tokens that the user has agreed to list for the account, kept in this browser by network. */
export type WatchedTokens = {
  /** Addresses in lower case. */
  read(chainId: string): Promise<readonly string[]>
  add(chainId: string, token: string): Promise<void>
}

/** The most tokens that are kept for a network; the oldest one makes room. */
const maxWatched = 50

/** Creates the list of an EVM account. */
export function createWatchedTokens(store: KeyStore, account: string): WatchedTokens {
  const key = (chainId: string) => `watched ${chainId} ${account.toLowerCase()}`
  const read = async (chainId: string) => {
    const found = await store.get(key(chainId))
    return Array.isArray(found) ? (found as string[]) : []
  }
  return {
    read,
    async add(chainId, token) {
      const added = token.toLowerCase()
      const others = (await read(chainId)).filter((one) => one !== added)
      await store.put(key(chainId), [...others, added].slice(-maxWatched))
    },
  }
}
