import { isError } from '@latchkey/wire'

/** What the server says, or else the error's own text. */
export function getReason(error: unknown): string {
  if (!isError(error)) return String(error)
  const { reason } = error.data as { reason?: unknown }
  return isError(error, 'HTTP_FAILED') && typeof reason === 'string' ? reason : error.message
}
