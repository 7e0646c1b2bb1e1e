import type { ConnectorEvent } from '../../../connection/connectors/connector.ts'
import { parseAccounts } from './parseAccounts.ts'
import { getFeature, type StandardWallet } from './standardWallet.ts'

/**
 * Tells when a wallet's accounts change. However often a wallet says so in one task, the last word is passed on, and only if
 * it is news.
 */
export function listenToAccounts(
  wallet: StandardWallet,
  listener: (event: ConnectorEvent) => void,
): () => void {
  let latest: unknown
  let isWaiting = false
  let hasEnded = false
  let told: string | undefined

  const tell = () => {
    isWaiting = false
    if (hasEnded) return
    try {
      const addresses = parseAccounts(latest).map(({ address }) => address)
      if (addresses.join() === told) return
      told = addresses.join()
      const accounts = addresses.map(
        (address) => ({ namespace: 'solana', address, type: 'eoa' }) as const,
      )
      listener({ type: 'accountsChanged', accounts })
    } catch {
      // No sense in it: what was known stays.
    }
  }
  const receive = (change: unknown) => {
    try {
      const { accounts } = change as { accounts?: unknown }
      if (accounts === undefined) return
      latest = accounts
      if (!isWaiting) queueMicrotask(tell)
      isWaiting = true
    } catch {}
  }
  let stop: unknown
  try {
    stop = getFeature(wallet, 'standard:events', 'on')?.('change', receive)
  } catch {}
  return () => {
    hasEnded = true
    try {
      if (typeof stop === 'function') stop()
    } catch {}
  }
}
