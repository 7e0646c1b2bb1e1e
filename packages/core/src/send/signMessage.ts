import { attempt } from '../attempt.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import type { App } from '../createApp.ts'

/** Has the connected account sign a text; resolves to the signature. Throws NOT_CONNECTED, USER_REJECTED and the like. */
export const signMessage = (app: App, parameters: { message: string }): Promise<string> =>
  attempt(async () => {
    const { chain, connection, request, assertSame } = await getActiveWallet(app)
    assertSame()
    const { address } = connection.account
    return chain.signMessage({ wallet: request, address, message: parameters.message })
  })
