import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { disconnect } from '../connection/disconnect.ts'
import { forceCloseModal } from '../modal/modal.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { activeConnection, type Connected, isConnected } from '../state.ts'
import { getSessionKey, isSignInRequired } from './session.ts'
import { getConnection, getSiwx, setSession } from './signIn.ts'

/**
 * Dismisses the prompt without signing in. If a sign-in is required, switches the wallet back to a
 * network on which the account has signed in, or disconnects it; either closes the modal.
 */
export const cancelSignIn = (app: App): Promise<void> =>
  attempt(async () => {
    const connection = activeConnection(app.store.getState())
    if (isConnected(connection) && isSignInRequired(app)) await leave(app, connection)
    else forceCloseModal(app)
  })

async function leave(app: App, connection: Connected) {
  const { namespace, address } = connection.account
  const other = Object.values(app.store.getState().sessions).find(
    (session) =>
      session?.data.chainId.startsWith(`${namespace}:`) &&
      session.data.accountAddress.toLowerCase() === address.toLowerCase(),
  )
  const isBack =
    other &&
    (await switchNetwork(app, { chainId: other.data.chainId }).then(
      () => true,
      () => false,
    ))
  if (!isBack) await disconnectQuietly(app, connection)
}

/** Disconnects the page in any case, even if the wallet could not be notified. */
const disconnectQuietly = (app: App, { connectorId }: Connected) =>
  disconnect(app, { connectorId }).catch(() => {})

/**
 * Ends the sign-in of the selected network's account; if a sign-in is required, also disconnects
 * the account. Throws the errors of the server or of the app's own functions. A cookie session has
 * ended here even then, and the sign-out is retried.
 */
export const signOutSession = (app: App): Promise<void> =>
  attempt(async () => {
    const connection = getConnection(app)
    const { chainId, account } = connection
    const key = getSessionKey(app, connection)
    const siwx = await getSiwx(app)
    let unheard: unknown
    await siwx.revokeSession(chainId, account.address).catch((error: unknown) => {
      if (!siwx.finishSignOut) throw error
      unheard = error
    })
    app.runtime.askedToSignIn?.add(key)
    app.runtime.signingOut = key
    if (isSignInRequired(app)) await disconnectQuietly(app, connection)
    delete app.runtime.signingOut
    setSession(app, key, null)
    if (unheard) throw unheard
  })
