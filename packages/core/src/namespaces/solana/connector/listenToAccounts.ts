import { coalesce } from '../../../connection/connectors/coalesce.ts'
import type { ConnectorEvent } from '../../../connection/connectors/connector.ts'
import { getFeature, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import { parseSolanaAccounts } from './parseAccounts.ts'

/**
 * Reports when a wallet's accounts change. However often a wallet does so in one task, only the
 * last change is passed on, and only if it differs.
 */
export function listenToSolanaAccounts(
  wallet: StandardWallet,
  listener: (event: ConnectorEvent) => void,
): () => void {
  let lastAddress: string | undefined
  const changes = coalesce((latest) => {
    const addresses = parseSolanaAccounts(latest).map(({ address }) => address)
    if (addresses.join() === lastAddress) return
    lastAddress = addresses.join()
    const accounts = addresses.map(
      (address) => ({ namespace: 'solana', address, type: 'eoa' }) as const,
    )
    listener({ type: 'accountsChanged', accounts })
  })
  const receive = (change: unknown) => {
    try {
      const { accounts } = change as { accounts?: unknown }
      if (accounts !== undefined) changes.receive(accounts)
    } catch {}
  }
  let stop: unknown
  try {
    stop = getFeature(wallet, 'standard:events', 'on')?.('change', receive)
  } catch {}
  return () => {
    changes.stop()
    try {
      if (typeof stop === 'function') stop()
    } catch {}
  }
}
