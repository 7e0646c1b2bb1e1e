import type { ActiveWallet } from '../connection/getActiveWallet.ts'

/**
 * A wallet's batch capabilities on its network, and how to request them; undefined if the wallet
 * does not report them.
 */
export async function readCapabilities(wallet: ActiveWallet) {
  const { actions, connection, request, approvedMethods } = wallet
  const calls = await actions.loadCalls?.()
  const { account, chainId } = connection
  const question = { wallet: request, address: account.address, chainId, approvedMethods }
  const capabilities = await calls?.getCapabilities(question).catch(() => undefined)
  return calls && capabilities && { calls, question, capabilities }
}
