import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'

/** Has the connected account sign typed data (EIP-712: domain, types, primaryType, message); resolves to the signature. */
export const signTypedData = (app: App, parameters: { typedData: unknown }): Promise<string> =>
  attempt(async () => {
    const { actions, address, chainId, wallet } = await getSigner(app, {
      can: 'signTypedData',
      name: typed,
    })
    if (!actions.signTypedData) throw unsupported(typed)
    return actions.signTypedData({ wallet, address, chainId, typedData: parameters.typedData })
  })

/**
 * Has the account of a namespace, the active one unless set, sign a text; resolves to the signature. Throws NOT_CONNECTED,
 * USER_REJECTED and the like.
 */
export const signMessage = (
  app: App,
  parameters: {
    message: string
    namespace?: Namespace
    /** A view of ours has shown the text. */
    isShown?: true
  },
): Promise<string> =>
  attempt(async () => {
    const { actions, address, wallet } = await getSigner(app, {
      ...{ can: 'signMessage', name: 'signed messages' },
      ...parameters,
    })
    return actions.signMessage({ wallet, address, message: parameters.message })
  })

const typed = 'typed data'

async function getSigner(
  app: App,
  parameters: {
    can: 'signMessage' | 'signTypedData'
    /** What the wallet is asked for, as an error names it. */
    name: string
    namespace?: Namespace
    isShown?: true
  },
) {
  const { actions, connection, request, assertSame } = await getActiveWallet(app, {
    isShown: false,
    ...parameters,
  })
  const { chainId } = connection
  if (!canAskWallet(app, { chainId, capability: parameters.can }))
    throw unsupported(parameters.name)
  assertSame()
  return { actions, chainId, address: connection.account.address, wallet: request }
}

const unsupported = (method: string) =>
  new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
