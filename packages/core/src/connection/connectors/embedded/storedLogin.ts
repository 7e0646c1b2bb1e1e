import type { Storage } from '../../../storage.ts'

/** Keeps that somebody is logged in by e-mail; from now on the frame is loaded at start. */
export function rememberLogin(storage: Storage, email: string | undefined): void {
  if (email) storage.set('email', email)
  storage.set('emailLoginUsed', true)
  storage.remove('lastEmailLoginMs')
}

/** Drops what was kept of a login. What the frame knows this browser by stays: it is the frame's to take back. */
export function forgetLogin(storage: Storage): void {
  const keys = ['email', 'emailLoginUsed', 'lastEmailLoginMs', 'lastUsedChainId'] as const
  for (const key of keys) storage.remove(key)
}
