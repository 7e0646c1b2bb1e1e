import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'

/** Has the connected account sign typed data (EIP-712: domain, types, primaryType, message); resolves to the signature. */
export const signTypedData = (app: App, parameters: { typedData: unknown }): Promise<string> =>
  attempt(async () => {
    const { actions, connection, request, assertSame } = await getActiveWallet(app)
    const { chainId } = connection
    if (!actions.signTypedData || !canAskWallet(app, { chainId, capability: 'signTypedData' }))
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'typed data' } })
    assertSame()
    return actions.signTypedData({
      wallet: request,
      address: connection.account.address,
      chainId,
      typedData: parameters.typedData,
    })
  })

/**
 * Has the account of a namespace, the active one unless set, sign a text; resolves to the signature. Throws NOT_CONNECTED,
 * USER_REJECTED and the like.
 */
export const signMessage = (
  app: App,
  parameters: { message: string; namespace?: Namespace },
): Promise<string> =>
  attempt(async () => {
    const { namespace } = parameters
    const { actions, connection, request, assertSame } = await getActiveWallet(app, { namespace })
    const { chainId } = connection
    if (!canAskWallet(app, { chainId, capability: 'signMessage' }))
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'signed messages' } })
    assertSame()
    const { address } = connection.account
    return actions.signMessage({ wallet: request, address, message: parameters.message })
  })
