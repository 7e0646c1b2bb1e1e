import type { VaultState } from '@latchkey/wire'
import type { KeyStore } from './keyStore.ts'
import type { VaultCall } from './vaultServer.ts'

/** Runs `work` while holding the lock with that name, which the whole browser shares. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * The dependencies of key work: the browser's store, the server, and a lock that the tabs share.
 */
export type WalletVault = {
  readonly store: KeyStore
  readonly call: VaultCall
  readonly lock: Lock
  /**
   * The EVM account that has to act, if the user has approved something for it; otherwise the
   * wallet in use.
   */
  readonly account?: string | undefined
}

/** The user and the device of the session, and the realm of its wallet. */
export type VaultIdentity = Pick<VaultState, 'userId' | 'realm' | 'deviceId' | 'deviceThumb'>

/** Runs one change of the wallet at a time in this browser. */
export const withWalletLock = <T>(vault: WalletVault, work: () => Promise<T>): Promise<T> =>
  vault.lock('latchkey wallet', work)

/** A lock within one process: waits for the previous holder of the name. */
function createLock(): Lock {
  const tails = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const run = (tails.get(name) ?? Promise.resolve()).then(work, work)
    tails.set(
      name,
      run.catch(() => {}),
    )
    return run
  }
}

/**
 * The browser's lock across all tabs of this origin, or a lock within this worker if the browser
 * has no locks.
 */
export function browserLock(locks: LockManager | undefined): Lock {
  if (!locks) return createLock()
  return async (name, work) => {
    const inside: { done?: Promise<unknown> } = {}
    return locks.request(name, () => {
      inside.done = work()
      return inside.done
    }) as ReturnType<typeof work>
  }
}
