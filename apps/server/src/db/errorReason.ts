/** Why a database failed, in one line. A refused connection to a name with two addresses has its reasons inside. */
export function errorReason(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(errorReason).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
