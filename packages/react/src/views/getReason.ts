import { isError } from '@latchkey/wire'

/**
 * The reason to show for an error: the server's reason, the wallet's reason for a failed transfer,
 * or the error's message.
 */
export function getReason(error: unknown): string {
  if (!isError(error)) return error instanceof Error ? error.message : String(error)
  const { reason } = error.data as { reason?: unknown }
  if (isError(error, 'HTTP_FAILED') && typeof reason === 'string') return reason
  const { cause } = error
  // The wallet's own message, because the error itself is generic.
  const isExplained = isError(error, 'SEND_FAILED') && isError(cause) && cause.code !== 'INTERNAL'
  return isExplained && cause.message ? `${error.message}: ${cause.message}` : error.message
}
