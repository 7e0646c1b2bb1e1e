import type { Wallet } from '../connection/getActiveWallet.ts'

/**
 * What a wallet can do with batches on its network, and how it is asked for them; undefined where
 * it does not say.
 */
export async function readCapabilities(wallet: Wallet) {
  const { actions, connection, request, approvedMethods } = wallet
  const calls = await actions.loadCalls?.()
  const { account, chainId } = connection
  const question = { wallet: request, address: account.address, chainId, approvedMethods }
  const capabilities = await calls?.getCapabilities(question).catch(() => undefined)
  return calls && capabilities && { calls, question, capabilities }
}
