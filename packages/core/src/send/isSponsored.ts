import type { ActiveWallet } from '../connection/getActiveWallet.ts'
import { readCapabilities } from './readCapabilities.ts'

/**
 * Whether the wallet's operator pays the fees of the account's transactions on its network. Only
 * smart accounts can have a paymaster; other wallets get no request.
 */
export async function isSponsored(wallet: ActiveWallet): Promise<boolean> {
  if (wallet.connection.account.type !== 'smartAccount') return false
  return (await readCapabilities(wallet))?.capabilities.isSponsored ?? false
}
