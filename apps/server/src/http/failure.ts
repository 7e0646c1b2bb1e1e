import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Why a request failed: an HTTP status, the field at fault and a sentence for a person. */
export type Failure = {
  readonly status: ContentfulStatusCode
  readonly field: string
  readonly description: string
  readonly retryAfterSeconds?: number
}

/** The error body of the API: `{"status":"FAILED","reasons":[{"field","description"}]}`. */
export const failureBody = ({ field, description }: Failure) => ({
  status: 'FAILED' as const,
  reasons: [{ field, description }],
})

/** The response to a request that failed, with `Retry-After` where waiting helps. */
export function failureResponse(failure: Failure): Response {
  const headers: Record<string, string> = {}
  if (failure.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(failure.retryAfterSeconds)))
  return Response.json(failureBody(failure), { status: failure.status, headers })
}
