import { isError, LatchkeyError } from '@latchkey/wire'
import { writeSiwxMessage } from '@latchkey/wire/siwx'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { type Reviewed, reviewedByView } from '../connection/requests/reviewed.ts'
import { activeConnection, type Connected, isConnected } from '../state.ts'
import { createServerSiwx } from './serverSiwx.ts'
import { findSiwxSession, getSessionKey } from './session.ts'
import type { SiwxSession, UsedSiwx } from './siwx.ts'

/** A message that waits for its signature. */
export type PreparedSignIn = {
  readonly message: string
  /**
   * Sends the request at once, so that the wallet can open its window in the click; then verifies
   * and saves the sign-in.
   */
  readonly sign: () => Promise<void>
}

/** The app's implementation, or the server's. */
export async function getSiwx(app: App): Promise<UsedSiwx> {
  const { siwx, siwe } = app.config
  if (siwe) {
    const { fromSiweConfig } = await import('./fromSiweConfig.ts')
    return fromSiweConfig(app, siwe)
  }
  if (siwx?.createMessage) return siwx as UsedSiwx
  if (siwx?.keep !== 'cookie') return createServerSiwx(app)
  const { createCookieSiwx } = await import('./cookieSiwx.ts')
  return createCookieSiwx(app)
}

/**
 * Prepares the sign-in of the selected network's account: fetches a nonce and writes the message.
 * Throws NOT_CONNECTED and the errors of the implementation; `sign` throws SIGNATURE_DECLINED if
 * the user refuses.
 */
export const prepareSignIn = (app: App): Promise<PreparedSignIn> => prepare(app, undefined)

/**
 * Like {@link prepareSignIn}, for the view that shows the message: a device then signs it without
 * another review. Not for pages.
 */
export const prepareReviewedSignIn = (app: App): Promise<PreparedSignIn> =>
  prepare(app, reviewedByView)

const prepare = (app: App, review: Reviewed | undefined): Promise<PreparedSignIn> =>
  attempt(async () => {
    const connection = getConnection(app)
    const { account, chainId } = connection
    const actions = await app.loadActions(account.namespace)
    // Load this before the click that prompts the wallet.
    const { signReviewedMessage } = await import('../send/sign.ts')
    const siwx = await getSiwx(app)
    const accountAddress = actions.formatAddress(account.address)
    const made = await siwx.createMessage({ accountAddress, chainId })
    const { toString: write, ...data } = made
    const isOwn = write !== undefined && write !== Object.prototype.toString
    const message = isOwn ? String(made) : writeSiwxMessage(data)
    const changed = new LatchkeyError('CONNECTION_CHANGED')
    const sign = async () => {
      if (getConnection(app).caipAddress !== connection.caipAddress) throw changed
      const signature = await signReviewedMessage(app, {
        message,
        namespace: account.namespace,
        // A message formatted by the app could contain anything.
        review: isOwn ? undefined : review,
      })
      if (!isSameConnection(app, connection)) throw changed
      const session = { data, message, signature }
      await siwx.addSession(session)
      const kept = await siwx.getSessions(chainId, accountAddress).catch(() => [])
      if (!isSameConnection(app, connection)) {
        // A user who has disconnected meanwhile has signed out.
        await siwx.revokeSession(chainId, accountAddress)
        throw changed
      }
      const found = findSiwxSession(app, connection, kept) ?? session
      // If a backend keeps a single session, the other sessions have ended: look them up again.
      app.store.setState(({ sessions }) => ({
        sessions: { ...(siwx.keepsMany && sessions), [getSessionKey(app, connection)]: found },
      }))
    }
    return { message, sign: () => attempt(sign).catch(decline) }
  })

function decline(cause: unknown): never {
  throw isError(cause, 'USER_REJECTED') ? new LatchkeyError('SIGNATURE_DECLINED', { cause }) : cause
}

/**
 * Whether the account is still connected, here or on another network for which its sign-in counts.
 */
function isSameConnection(app: App, connection: Connected): boolean {
  const now = app.store.getState().connections[connection.account.namespace]
  return isConnected(now) && getSessionKey(app, now) === getSessionKey(app, connection)
}

/** The connection of the selected network. Throws NOT_CONNECTED. */
export function getConnection(app: App): Connected {
  const connection = activeConnection(app.store.getState())
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  return connection
}

/** Writes the state of a sign-in: a session, or null if not signed in. */
export const setSession = (app: App, key: string, session: SiwxSession | null): void =>
  app.store.setState(({ sessions }) => ({ sessions: { ...sessions, [key]: session } }))
