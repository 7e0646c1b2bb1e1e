import { isError } from '@latchkey/wire'
import { texts } from './texts.ts'

/** An error in words for a person who can do something about it. */
export function errorMessage(error: unknown): string {
  if (!isError(error)) return texts.failed
  // As text: the set of codes belongs to the client.
  const code: string = error.code
  if (code === 'NO_MATCHING_KEY' || code === 'EXPIRED') return texts.over
  if (code === 'PAIRING_EXISTS') return texts.usedLink
  if (code === 'PAIRING_URI_INVALID') return `${error.message}. ${texts.wholeLink}`
  return error.message
}
