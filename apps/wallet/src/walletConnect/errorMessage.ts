import { isError } from '@latchkey/wire'
import { texts } from './texts.ts'

/** A message for the user about an error, with what to do. */
export function errorMessage(error: unknown): string {
  if (!isError(error)) return texts.failed
  // A plain string, because the client defines the set of codes.
  const code: string = error.code
  if (code === 'NO_MATCHING_KEY' || code === 'EXPIRED') return texts.over
  if (code === 'PAIRING_EXISTS') return texts.usedLink
  if (code === 'PAIRING_URI_INVALID') return `${error.message}. ${texts.wholeLink}`
  return error.message
}
