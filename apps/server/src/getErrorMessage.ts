/**
 * The message of any thrown value, for logs. An AggregateError, as of a connection, contains one
 * reason per address.
 */
export function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(getErrorMessage).join('; ')
  return error instanceof Error ? error.message : 'unknown'
}
