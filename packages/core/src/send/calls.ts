import { LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import type { Batch, BatchCall, BatchCapabilities } from '../namespaces/actions.ts'

/**
 * Has the connected wallet send several calls; resolves to the id of the batch. With `isAtomic` all take effect or none, and
 * a wallet that cannot do that throws UNSUPPORTED_METHOD. Throws INVALID_PARAMS, UNSUPPORTED_METHOD and USER_REJECTED too.
 */
export const sendCalls = (
  app: App,
  parameters: { calls: readonly BatchCall[]; isAtomic?: boolean; id?: string },
): Promise<string> =>
  attempt(async () => {
    const { calls, assertSame, ...wallet } = await getWallet(app)
    assertSame()
    return calls.send({ ...wallet, ...parameters })
  })

/** What became of a batch. Throws CALL_STATUS_NOT_APPROVED. */
export const getCallsStatus = (app: App, parameters: { id: string }): Promise<Batch> =>
  attempt(async () => {
    const { calls, ...wallet } = await getWallet(app)
    return calls.getStatus({ ...wallet, ...parameters })
  })

/** What the connected wallet can do with batches on the selected network. */
export const getCallsCapabilities = (app: App): Promise<BatchCapabilities> =>
  attempt(async () => {
    const { calls, ...wallet } = await getWallet(app)
    return calls.getCapabilities(wallet)
  })

async function getWallet(app: App) {
  const { actions, connection, request, approvedMethods, assertSame } = await getActiveWallet(app)
  const calls = await actions.loadCalls?.()
  if (!calls)
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'batches of calls' } })
  const { address } = connection.account
  return {
    calls,
    wallet: request,
    address,
    chainId: connection.chainId,
    approvedMethods,
    assertSame,
  }
}
