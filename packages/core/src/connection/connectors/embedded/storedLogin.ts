import type { User } from '../../../state.ts'
import type { Storage } from '../../../storage.ts'

/** Stores that a user is logged in; from now on the frame is loaded at start. */
export function rememberLogin(storage: Storage, user: User): void {
  const { email, username, socialProvider, isRecoverable } = user
  if (email) storage.set('email', email)
  else storage.remove('email')
  if (username || socialProvider)
    storage.set('social', {
      ...(username && { username }),
      ...(socialProvider && { socialProvider }),
    })
  else storage.remove('social')
  if (isRecoverable === false) storage.set('lacksRecovery', true)
  else storage.remove('lacksRecovery')
  storage.set('emailLoginUsed', true)
  storage.remove('lastEmailLoginMs')
  storage.remove('pendingEmail')
}

/** The provider of the stored login, unless the stored user has another name. */
export function getStoredProvider(
  storage: Storage,
  username: string | undefined,
): string | undefined {
  const stored = storage.get('social')
  const isSame = stored?.username === undefined || stored.username === username
  return isSame ? stored?.socialProvider : undefined
}

/**
 * Deletes the stored login, except the token by which the frame recognizes this browser. Only the
 * frame removes that token.
 */
export function forgetLogin(storage: Storage): void {
  const keys = [
    'email',
    'social',
    'lacksRecovery',
    'emailLoginUsed',
    'lastEmailLoginMs',
    'pendingEmail',
    'lastUsedChainId',
  ] as const
  for (const key of keys) storage.remove(key)
}
