import { type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { hasLogin } from '../embedded/login/hasLogin.ts'
import type { PendingTransaction, ReplaceAction } from '../namespaces/batchCalls.ts'
import { isConnected } from '../state.ts'

/**
 * Pending transactions that this page has sent with the embedded wallet on a network; none for
 * other wallets.
 */
export const getPendingTransactions = (
  app: App,
  { chainId }: { chainId: ChainId },
): Promise<readonly PendingTransaction[]> =>
  attempt(async () => {
    const found = await findWallet(app, chainId)
    return found ? found.calls.getPending({ wallet: found.request }) : []
  })

/**
 * Has the embedded wallet speed up or cancel a pending transaction of this page, which the user
 * approves. Resolves to the hash of the replacement. Throws UNSUPPORTED_METHOD with other wallets,
 * SIGNING_REFUSED if it is not pending, INSUFFICIENT_GAS, USER_REJECTED.
 */
export const replaceTransaction = (
  app: App,
  { hash, action, chainId }: { hash: string; action: ReplaceAction; chainId: ChainId },
): Promise<string> =>
  attempt(async () => {
    const found = await findWallet(app, chainId)
    if (!found)
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'replacing transactions' } })
    found.assertSame()
    return found.calls.replace({ wallet: found.request, hash, action })
  })

/**
 * The embedded wallet on a network; undefined if another wallet or another network is connected.
 */
async function findWallet(app: App, chainId: ChainId) {
  const { namespace } = parseChainId(chainId)
  const connection = app.store.getState().connections[namespace]
  if (!isConnected(connection) || !hasLogin(app, connection.connectorId)) return undefined
  const { actions, request, assertSame, ...wallet } = await getActiveWallet(app, { namespace })
  const calls = await actions.loadCalls?.()
  return calls && wallet.connection.chainId === chainId ? { calls, request, assertSame } : undefined
}
