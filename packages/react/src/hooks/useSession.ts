import {
  activeConnection,
  getSession,
  isConnected,
  isSignInRequired,
  openModal,
  type SiwxSession,
  signOutSession,
  signsIn,
} from '@latchkey/core/internal'
import { useCallback } from 'react'
import { useAction } from '../app/useAction.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/**
 * The sign-in of the selected network's account, if the app has `signIn`. `status` is `loading`
 * until the sign-in is known. `signIn` opens the sign-in view, after connecting if no account is
 * connected, and `signOut` ends the sign-in.
 */
export function useSession(): {
  status: 'loading' | 'signedIn' | 'signedOut'
  session: SiwxSession | undefined
  signIn: () => void
  /** Ends the sign-in. It never throws: a failure is in `error`. */
  signOut: () => void
  /** The same. Rejects with OFFLINE and other errors. */
  signOutAsync: () => Promise<void>
  /** Why the latest sign-out failed. */
  error: Error | null
  /** Whether a sign-out is running. */
  isPending: boolean
} {
  const app = useApp()
  const { mutate, mutateAsync, error, isPending } = useAction<undefined, void>(signOutSession)
  const session = useAppState((state) => getSession(app, state))
  return {
    status: session ? 'signedIn' : session === undefined ? 'loading' : 'signedOut',
    session: session ?? undefined,
    signIn: useCallback(() => {
      const connection = activeConnection(app.store.getState())
      if (!isConnected(connection)) return openModal(app)
      if (!signsIn(app, connection.account.namespace)) return
      const name = app.config.siwe ? 'ConnectingSiwe' : 'SIWXSignMessage'
      openModal(app, { view: { name, isRequired: isSignInRequired(app) } })
    }, [app]),
    signOut: useCallback(() => mutate(undefined), [mutate]),
    signOutAsync: useCallback(() => mutateAsync(undefined), [mutateAsync]),
    error,
    isPending,
  }
}
