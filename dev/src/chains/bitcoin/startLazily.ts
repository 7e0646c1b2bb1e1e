import type { BitcoinAccount } from './accounts.ts'
import type * as bitcoin from './startBitcoin.ts'

/**
 * {@link bitcoin.startBitcoin}, whose code loads when it is called, so that stacks without a
 * Bitcoin chain do not load it.
 */
export const startBitcoin: typeof bitcoin.startBitcoin = async (parameters) =>
  (await import('./startBitcoin.ts')).startBitcoin(parameters)

/** The accounts of the chain, whose code loads when it is called too. */
export const deriveBitcoinAccounts = async (): Promise<BitcoinAccount[]> =>
  (await import('./accounts.ts')).deriveBitcoinAccounts()
