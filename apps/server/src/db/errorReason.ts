/** Why a database failed, in one line. An AggregateError holds the reasons for each address. */
export function errorReason(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(errorReason).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
