import { LatchkeyError } from '@latchkey/wire'
import type { App } from '../createApp.ts'

/** Milliseconds between two mails (spec §9). */
const mailCooldownMs = 30_000

/** When the next mail may be asked for, by the clock of the page. */
function mayMailAtMs(app: App): number {
  const lastMs = app.storage.get('lastEmailLoginMs') ?? 0
  // A time from the future was written under a clock that went wrong.
  return lastMs > app.environment.now() ? 0 : lastMs + mailCooldownMs
}

/** Throws LOGIN_THROTTLED while the last mail is less than 30 s ago (spec §5). */
export function assertMayMail(app: App): void {
  const leftMs = mayMailAtMs(app) - app.environment.now()
  if (leftMs <= 0) return
  throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: Math.ceil(leftMs / 1000) } })
}

/** Notes that a mail was asked for now. */
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
  app.storage.set('lastEmailLoginMs', nowMs)
  const waitMs = resendSeconds === undefined ? mailCooldownMs : resendSeconds * 1000
  app.store.setState({
    login: { email, resendAtMs: nowMs + waitMs, ...(matchCode && { matchCode }) },
  })
}
