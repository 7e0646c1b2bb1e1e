import {
  isError,
  LatchkeyError,
  type Route,
  type SiwxServerSession,
  siwxMeRoute,
  siwxRevokeRoute,
  siwxSessionsRoute,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { callAs, isSignedOut } from './serverSiwx.ts'
import { getSession, getSessionKey } from './session.ts'
import { getConnection } from './signIn.ts'
import { signOutSession } from './signOut.ts'

/**
 * A sign-in of the account: its site, start, end (ISO 8601), and whether it belongs to this
 * browser.
 */
export type SignIn = SiwxServerSession & { readonly isCurrent: boolean }

/**
 * The sign-ins of the selected network's account in this project, newest first. Throws SIGNED_OUT
 * unless the account has signed in at our server, and the server's errors.
 */
export const getSignIns = (app: App): Promise<readonly SignIn[]> =>
  attempt(async () => {
    const [{ session }, { sessions }] = await Promise.all([
      ask(app, siwxMeRoute),
      ask(app, siwxSessionsRoute),
    ])
    return sessions.map((one) => ({ ...one, isCurrent: one.id === session.id }))
  })

/** Ends a sign-in of the same account. Ending this browser's own sign-in signs out here too. */
export const endSignIn = (app: App, { id, isCurrent }: SignIn): Promise<void> =>
  attempt(async () => {
    if (isCurrent) return signOutSession(app)
    await ask(app, siwxRevokeRoute, { id }).catch((error: unknown) => {
      // It has ended already.
      if (!isError(error, 'HTTP_FAILED') || error.data.status !== 404) throw error
    })
  })

async function ask<ApiRoute extends Route>(app: App, route: ApiRoute, body?: object) {
  const key = getSessionKey(app, getConnection(app))
  const session = getSession(app, app.store.getState())
  if (!session?.token && !session?.csrfToken) throw new LatchkeyError('SIGNED_OUT')
  return callAs(app, route, session, body).catch((error: unknown) => {
    // Ended elsewhere: look up the account again, and prompt again if a sign-in is required.
    if (isSignedOut(error))
      app.store.setState(({ sessions: { [key]: _, ...sessions } }) => ({ sessions }))
    throw error
  })
}
