import { formatWait, isError, type LatchkeyError } from '@latchkey/wire'
import { en, fill } from '../locales/en.ts'

/** The message that the user sees for an error. */
export function errorMessage(error: unknown): string {
  if (!isError(error) || error.code === 'INTERNAL') return en.error.unknown
  if (isError(error, 'LOGIN_THROTTLED')) return fill(en.error.wait, readWait(error))
  if (isError(error, 'CODE_THROTTLED')) return fill(en.error.tooManyCodes, readWait(error))
  if (error.code !== 'USER_REJECTED') return error.message
  // So the browser refuses a second passkey of the account in the same place.
  const isThere = error.cause instanceof DOMException && error.cause.name === 'InvalidStateError'
  return isThere ? en.error.passkeyThere : en.error.stopped
}

const readWait = ({ data }: LatchkeyError<'LOGIN_THROTTLED' | 'CODE_THROTTLED'>) => ({
  wait: formatWait(Number(data.seconds)),
})
