import { isError, LatchkeyError, type Namespace } from '@latchkey/wire'
import { createSiwxMessage } from '@latchkey/wire/siwx'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { disconnect } from '../connection/disconnect.ts'
import { forceCloseModal } from '../modal/modal.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { signMessage } from '../send/sign.ts'
import { activeConnection, type Connected, isConnected } from '../state.ts'
import { createServerSiwx } from './serverSiwx.ts'
import { getSessionKey, isSignInRequired } from './session.ts'
import type { Siwx, SiwxSession } from './siwx.ts'

/** A message that waits for its signature. */
export type PreparedSignIn = {
  readonly message: string
  /** Asks the wallet at once, so that it may open its window in the click; then the sign-in is verified and kept. */
  readonly sign: () => Promise<void>
}

/** The app's implementation, or the server's. */
export async function getSiwx(app: App): Promise<Siwx> {
  const { siwx, siweConfig } = app.config
  if (siweConfig) {
    const { fromSiweConfig } = await import('./fromSiweConfig.ts')
    return fromSiweConfig(app, siweConfig)
  }
  return siwx?.createMessage ? (siwx as Siwx) : createServerSiwx(app)
}

/**
 * Prepares the sign-in of the selected network's account: fetches a nonce and writes the message. Throws NOT_CONNECTED and
 * what the implementation throws; `sign` throws SIGNATURE_DECLINED if the person refuses.
 */
export const prepareSignIn = (app: App): Promise<PreparedSignIn> =>
  attempt(async () => {
    const connection = getConnection(app)
    const { account, chainId } = connection
    const actions = await app.loadActions(account.namespace)
    const siwx = await getSiwx(app)
    const accountAddress = actions.formatAddress(account.address)
    const made = await siwx.createMessage({ accountAddress, chainId })
    const { toString: write, ...data } = made
    const isOwn = write !== undefined && write !== Object.prototype.toString
    const message = isOwn ? String(made) : createSiwxMessage(data)
    const sign = async () => {
      if (getConnection(app).caipAddress !== connection.caipAddress)
        throw new LatchkeyError('CONNECTION_CHANGED')
      const signature = await signMessage(app, { message, namespace: account.namespace })
      const session = { data, message, signature }
      await siwx.addSession(session)
      const kept = await siwx.getSessions(chainId, accountAddress).catch(() => [])
      setSession(app, getSessionKey(app, connection), kept[0] ?? session)
    }
    return { message, sign: () => attempt(sign).catch(decline) }
  })

function decline(error: unknown): never {
  throw isError(error, 'USER_REJECTED')
    ? new LatchkeyError('SIGNATURE_DECLINED', { cause: error })
    : error
}

function getConnection(app: App): Connected {
  const connection = activeConnection(app.store.getState())
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  return connection
}

/** Writes what is known of a sign-in: a session, or null if there is none. */
export const setSession = (app: App, key: string, session: SiwxSession | null): void =>
  app.store.setState(({ sessions }) => ({ sessions: { ...sessions, [key]: session } }))

/**
 * Leaves the question without signing in. Where that is required, the wallet goes back to a network on which the account has
 * signed in, or is disconnected.
 */
export const cancelSignIn = (app: App): Promise<void> =>
  attempt(async () => {
    const connection = activeConnection(app.store.getState())
    if (isConnected(connection) && isSignInRequired(app)) await leave(app, connection)
    forceCloseModal(app)
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

/** Ends the sign-in of the selected network's account; where one is required, the account is disconnected too. */
export const signOutSession = (app: App): Promise<void> =>
  attempt(async () => {
    const connection = getConnection(app)
    const { chainId, account } = connection
    const key = getSessionKey(app, connection)
    const siwx = await getSiwx(app)
    await siwx.revokeSession(chainId, account.address)
    app.work.askedToSignIn?.add(key)
    if (isSignInRequired(app)) await disconnectQuietly(app, account.namespace)
    setSession(app, key, null)
  })
