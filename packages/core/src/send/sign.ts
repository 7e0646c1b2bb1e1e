import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import type { Reviewed } from '../connection/requests/reviewed.ts'

/**
 * Has the connected account sign typed data (EIP-712: domain, types, primaryType, message);
 * resolves to the signature.
 */
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
 * Has the account of a namespace (default: the active namespace) sign a message; resolves to the
 * signature. Throws NOT_CONNECTED, USER_REJECTED and the wallet's other errors.
 */
export const signMessage = (app: App, { message, namespace }: Text): Promise<string> =>
  signReviewedMessage(app, { message, namespace, review: undefined })

type Text = { message: string; namespace?: Namespace | undefined }

/**
 * Like {@link signMessage}, for a message that a view of the modal has shown, if there is a
 * `review`. Not for pages.
 */
export const signReviewedMessage = (
  app: App,
  { message, ...of }: Text & { review: Reviewed | undefined },
): Promise<string> =>
  attempt(async () => {
    const question = { can: 'signMessage', name: 'signed messages', ...of } as const
    const { actions, address, wallet } = await getSigner(app, question)
    return actions.signMessage({ wallet, address, message })
  })

const typed = 'typed data'

async function getSigner(
  app: App,
  parameters: {
    can: 'signMessage' | 'signTypedData'
    /** The name of the wallet request, for errors. */
    name: string
    namespace?: Namespace | undefined
    review?: Reviewed | undefined
  },
) {
  const { actions, connection, request, assertSame } = await getActiveWallet(app, parameters)
  const { chainId } = connection
  if (!canAskWallet(app, { chainId, capability: parameters.can }))
    throw unsupported(parameters.name)
  assertSame()
  return { actions, chainId, address: connection.account.address, wallet: request }
}

const unsupported = (method: string) =>
  new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
