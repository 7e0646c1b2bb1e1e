import type { Wallet } from '../connection/getActiveWallet.ts'

/**
 * Whether the wallet's operator pays fees of what the account sends on its network. Only smart accounts have somebody who
 * could; other wallets are not asked.
 */
export async function isSponsored(wallet: Wallet): Promise<boolean> {
  const { actions, connection, request, approvedMethods } = wallet
  const { account, chainId } = connection
  if (account.type !== 'smartAccount') return false
  const calls = await actions.loadCalls?.()
  const question = { wallet: request, address: account.address, chainId, approvedMethods }
  const found = await calls?.getCapabilities(question).catch(() => undefined)
  return found?.isSponsored ?? false
}
