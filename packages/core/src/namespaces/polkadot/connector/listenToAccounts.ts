import { coalesce } from '../../../connection/connectors/coalesce.ts'
import type { EnabledWallet } from './injectedWallet.ts'
import { type InjectedAccount, parsePolkadotAccounts } from './parseAccounts.ts'

/**
 * Reports when an enabled wallet's accounts are no longer those that are `known`; invalid answers
 * are ignored.
 */
export function listenToPolkadotAccounts(
  wallet: EnabledWallet,
  known: readonly InjectedAccount[],
  listener: (accounts: readonly InjectedAccount[]) => void,
): () => void {
  const getKey = (accounts: readonly InjectedAccount[]) =>
    accounts.map(({ address, reference }) => `${address} ${reference}`).join()
  let last = getKey(known)
  const changes = coalesce((latest) => {
    const accounts = parsePolkadotAccounts(latest)
    if (getKey(accounts) === last) return
    last = getKey(accounts)
    listener(accounts)
  })
  let stop: unknown
  try {
    stop = wallet.accounts?.subscribe?.(changes.receive)
  } catch {}
  return () => {
    changes.stop()
    try {
      if (typeof stop === 'function') stop()
    } catch {}
  }
}
