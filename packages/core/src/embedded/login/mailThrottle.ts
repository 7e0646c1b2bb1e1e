import { LatchkeyError } from '@latchkey/wire'
import type { App } from '../../app.ts'

/** The default cooldown between two emails, if the server has set no other. */
const defaultCooldownMs = 30_000
/** How long the server and the frame keep a login. */
const loginLifetimeMs = 30 * 60_000

/** When the next email may be requested, by the clock of the page. */
function mayMailAtMs(app: App): number {
  const lastMs = app.storage.get('lastEmailLoginMs') ?? 0
  // A time in the future was saved while the clock was wrong.
  const cooldownMs = app.storage.get('emailCooldownMs') ?? defaultCooldownMs
  return lastMs > app.environment.now() ? 0 : lastMs + cooldownMs
}

/** Throws LOGIN_THROTTLED during the server's cooldown after the last email. */
export function assertMayMail(app: App): void {
  const leftMs = mayMailAtMs(app) - app.environment.now()
  if (leftMs <= 0) return
  throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: Math.ceil(leftMs / 1000) } })
}

/**
 * The address of the login that began here within the last half hour and has not succeeded yet,
 * also before a reload.
 */
export function getPendingEmail(app: App): string | undefined {
  const sinceMs = app.environment.now() - (app.storage.get('lastEmailLoginMs') ?? 0)
  return sinceMs < loginLifetimeMs ? app.storage.get('pendingEmail') : undefined
}

/** Records that an email was requested now. */
export function noteMail(
  app: App,
  parameters: {
    email: string
    resendSeconds: number | undefined
    matchCode?: string | undefined
  },
): void {
  const { email, resendSeconds, matchCode } = parameters
  const nowMs = app.environment.now()
  const cooldownMs = resendSeconds === undefined ? defaultCooldownMs : resendSeconds * 1000
  app.storage.set('lastEmailLoginMs', nowMs)
  app.storage.set('emailCooldownMs', cooldownMs)
  app.store.setState({
    login: { email, resendAtMs: nowMs + cooldownMs, ...(matchCode && { matchCode }) },
  })
}
