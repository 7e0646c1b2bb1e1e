import type { Storage } from '../../../storage.ts'

/** Stores that a user is logged in; from now on the frame is loaded at start. */
export function rememberLogin(storage: Storage, email: string | undefined): void {
  if (email) storage.set('email', email)
  else storage.remove('email')
  storage.set('emailLoginUsed', true)
  storage.remove('lastEmailLoginMs')
  storage.remove('pendingEmail')
}

/** Deletes what is stored of a login, except the token by which the frame knows this browser: only the frame removes that. */
export function forgetLogin(storage: Storage): void {
  const keys = [
    'email',
    'emailLoginUsed',
    'lastEmailLoginMs',
    'pendingEmail',
    'lastUsedChainId',
  ] as const
  for (const key of keys) storage.remove(key)
}
