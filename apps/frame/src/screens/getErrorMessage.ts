import { formatWait, isError, type LatchkeyError } from '@latchkey/wire'
import { en, fill } from '../locales/en.ts'

/** The message that the user sees for an error. */
export function getErrorMessage(error: unknown): string {
  if (!isError(error) || error.code === 'INTERNAL') return en.error.unknown
  if (isError(error, 'LOGIN_THROTTLED')) return fill(en.error.wait, readWait(error))
  if (isError(error, 'CODE_THROTTLED')) return fill(en.error.tooManyCodes, readWait(error))
  if (error.code !== 'USER_REJECTED') return error.message
  const cause = getCauseName(error)
  if (cause === 'PasskeysBlocked') return en.passkeyWindow.why
  if (cause === 'WindowShut') return en.passkeyWindow.shut
  // The browser reports this when it refuses a second passkey of the account in the same place.
  return cause === 'InvalidStateError' ? en.error.passkeyThere : en.error.stopped
}

/**
 * The name of the DOMException behind an error, including errors that the frame creates for
 * passkeys and popups.
 */
export const getCauseName = ({ cause }: LatchkeyError): string | undefined =>
  cause instanceof DOMException ? cause.name : undefined

const readWait = ({ data }: LatchkeyError<'LOGIN_THROTTLED' | 'CODE_THROTTLED'>) => ({
  wait: formatWait(Number(data.seconds)),
})
