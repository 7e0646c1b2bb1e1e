import { getWallet, type VaultState } from '@latchkey/wire'
import type { KeyStore } from './keyStore.ts'
import { type Call, callVault } from './vaultServer.ts'

/** Runs `work` while nobody else in this browser has the lock of that name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** What key work needs from outside: the browser's store, the server, and a lock that its tabs share. */
export type Vault = { readonly store: KeyStore; readonly call: Call; readonly lock: Lock }

/** Whose session it is and where. */
export type Identity = Pick<VaultState, 'userId' | 'realm' | 'deviceId' | 'deviceThumb'>

export const readState = (vault: Vault): Promise<VaultState> =>
  callVault(vault.call, getWallet, { gone: true })

/** One change of the wallet at a time in this browser. */
export const withWalletLock = <T>(vault: Vault, work: () => Promise<T>): Promise<T> =>
  vault.lock('latchkey wallet', work)

/** A lock for one process: waits for whoever had the name before. */
export function createLock(): Lock {
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

/** The browser's lock over all tabs of this origin, or one for this worker where it has none. */
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
