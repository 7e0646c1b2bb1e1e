import type { Wallet } from '../connection/getActiveWallet.ts'
import { readCapabilities } from './readCapabilities.ts'

/**
 * Whether the wallet's operator pays fees of what the account sends on its network. Only smart
 * accounts have somebody who could; other wallets are not asked.
 */
export async function isSponsored(wallet: Wallet): Promise<boolean> {
  if (wallet.connection.account.type !== 'smartAccount') return false
  return (await readCapabilities(wallet))?.capabilities.isSponsored ?? false
}
