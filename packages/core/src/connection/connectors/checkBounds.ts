import { findExcess, jsonMaxDepth, LatchkeyError } from '@latchkey/wire'

/** The maximum length of a request's parameters, or of a Safe's response, as JSON. */
export const maxLength = 1_048_576

/**
 * Throws INVALID_PARAMS if a page's parameters have too many levels, or are too large, to be sent
 * to a wallet. Without this check the outcome would depend on the stack of the browser.
 */
export function checkBounds(params: unknown): void {
  const excess = findExcess(params, maxLength)
  if (excess === undefined) return
  const reason =
    excess === 'deep'
      ? `more than ${jsonMaxDepth} levels of lists and objects`
      : `more than ${maxLength} characters`
  throw new LatchkeyError('INVALID_PARAMS', { data: { reason } })
}
