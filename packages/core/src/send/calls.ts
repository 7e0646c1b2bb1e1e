import { LatchkeyError, type Namespace, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { isUnknownMethod } from '../connection/requests/isUnknownMethod.ts'
import { showView } from '../modal/navigate.ts'
import type { Batch, BatchCall, BatchCapabilities } from '../namespaces/batchCalls.ts'

/**
 * Has the connected wallet send several calls; resolves to the id of the batch. With `isAtomic`,
 * all take effect or none, and a wallet that does not support that throws UNSUPPORTED_METHOD.
 * Throws INVALID_PARAMS, UNSUPPORTED_METHOD and USER_REJECTED too.
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

/** A batch, by default in the namespace of the selected network. */
type BatchReference = { id: string; namespace?: Namespace | undefined }

/** The status of a batch. Throws CALL_STATUS_NOT_APPROVED, BATCH_ID_UNKNOWN. */
export const getCallsStatus = (app: App, { id, namespace }: BatchReference): Promise<Batch> =>
  attempt(async () => {
    const { calls, ...wallet } = await getWallet(app, namespace)
    return calls.getStatus({ ...wallet, id })
  })

/**
 * Has the wallet show the status of a batch; the modal shows it if the wallet does not support
 * that. Throws CALL_STATUS_NOT_APPROVED, BATCH_ID_UNKNOWN.
 */
export const showCallsStatus = (app: App, { id, namespace }: BatchReference): Promise<void> =>
  attempt(async () => {
    const { calls, ...wallet } = await getWallet(app, namespace)
    try {
      await calls.show({ ...wallet, id })
    } catch (error) {
      if (!isUnknownMethod(error)) throw error
      // An unknown id is an error of the page, so nothing is shown.
      await calls.getStatus({ ...wallet, id })
      const { namespace: of } = parseChainId(wallet.chainId)
      showView(app, { name: 'CallsStatus', id, namespace: of })
    }
  })

/** The batch capabilities of the connected wallet on the selected network. */
export const getCallsCapabilities = (app: App): Promise<BatchCapabilities> =>
  attempt(async () => {
    const { calls, ...wallet } = await getWallet(app)
    return calls.getCapabilities(wallet)
  })

async function getWallet(app: App, namespace?: Namespace) {
  const found = await getActiveWallet(app, { namespace })
  const { actions, connection, request, approvedMethods, assertSame } = found
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
