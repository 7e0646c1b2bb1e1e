import { type ChainId, type Namespace, parseBoundedJson } from '@latchkey/wire'
import { defaultStorageKey } from '../storage.ts'
import { entries, type SavedConnection } from '../storageSchema.ts'

/** The part of an app's state that a server needs to render the account. */
export type SavedState = {
  readonly activeChainId: ChainId
  readonly connections: Partial<Record<Namespace, SavedConnection>>
}

/** The maximum length of the cookie in characters. Browsers drop cookies above 4,096 bytes. */
export const maxCookieLength = 3_500

/** The name of an app's cookie. */
export const getCookieName = (storageKey: string = defaultStorageKey) => `${storageKey}.state`

/**
 * Reads the state of the last page from the `Cookie` header of a request; undefined if there is
 * none, or it is invalid. Anyone who can write cookies of the site can write it, so the wallet is
 * still asked before the account counts as connected.
 */
export function cookieToInitialState(
  { storageKey }: { readonly storageKey?: string | undefined },
  cookie: string | null | undefined,
): SavedState | undefined {
  const start = `${getCookieName(storageKey)}=`
  const found = cookie?.split(/;\s*/).find((pair) => pair.startsWith(start))
  if (found === undefined || found.length > start.length + maxCookieLength) return undefined
  try {
    const saved = parseBoundedJson(decodeURIComponent(found.slice(start.length))) as SavedState
    return {
      activeChainId: entries.activeChainId(saved.activeChainId),
      connections: entries.connections(saved.connections),
    }
  } catch {
    return undefined
  }
}
