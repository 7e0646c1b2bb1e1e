/** The reason for a database failure in one line. An AggregateError contains one reason per address. */
export function errorReason(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(errorReason).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
