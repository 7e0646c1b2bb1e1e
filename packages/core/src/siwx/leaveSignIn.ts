import type { Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { disconnect } from '../connection/disconnect.ts'
import { forceCloseModal } from '../modal/modal.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { activeConnection, type Connected, isConnected } from '../state.ts'
import { getSessionKey, isSignInRequired } from './session.ts'
import { getConnection, getSiwx, setSession } from './signIn.ts'

/**
 * Leaves the question without signing in. Where that is required, the wallet goes back to a network
 * on which the account has signed in, or is disconnected; either closes the modal.
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
  if (!isBack) await disconnectQuietly(app, namespace)
}

/** The page is disconnected in any case, also if the wallet could not be told. */
const disconnectQuietly = (app: App, namespace: Namespace) =>
  disconnect(app, { namespace }).catch(() => {})

/**
 * Ends the sign-in of the selected network's account; where one is required, the account is
 * disconnected too. Throws what the server or the app's own functions throw; one in a cookie has
 * ended here all the same, and the sign-out is repeated.
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
    app.work.askedToSignIn?.add(key)
    app.work.signingOut = key
    if (isSignInRequired(app)) await disconnectQuietly(app, account.namespace)
    delete app.work.signingOut
    setSession(app, key, null)
    if (unheard) throw unheard
  })
