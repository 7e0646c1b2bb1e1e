import type { KeyStore } from '../src/wallet/keyStore.ts'
import { browserLock } from '../src/wallet/vault.ts'
import type { VaultCall } from '../src/wallet/vaultServer.ts'
import { watchStore } from './watchStore.ts'

/** The end of a browser. */
export class Killed extends Error {}

/** A browser that is killed before or after its n-th step: a call, or a touch of its store. */
export function killAt(
  step: number,
  inner: { readonly store: KeyStore; readonly call: VaultCall },
) {
  let at = 0
  const count = { reached: false }
  const next = () => {
    at += 1
    if (count.reached || at === step) {
      count.reached = true
      throw new Killed()
    }
  }
  const call: VaultCall = async (path, body) => {
    next()
    const result = await inner.call(path, body)
    next()
    return result
  }
  const store = watchStore(inner.store, next)
  return { count, vault: { store, call, lock: browserLock(undefined) } }
}
