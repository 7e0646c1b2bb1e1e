import { LatchkeyError } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import type { App } from '../createApp.ts'

/** Has the connected account sign typed data (EIP-712: domain, types, primaryType, message); resolves to the signature. */
export const signTypedData = (app: App, parameters: { typedData: unknown }): Promise<string> =>
  attempt(async () => {
    const { chain, connection, request, assertSame } = await getActiveWallet(app)
    if (!chain.signTypedData)
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'typed data' } })
    assertSame()
    return chain.signTypedData({
      wallet: request,
      address: connection.account.address,
      chainId: connection.chainId,
      typedData: parameters.typedData,
    })
  })
