import { type ErrorCode, errorStatus, isError, type LatchkeyError } from '@latchkey/wire'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Why a request failed: an HTTP status, the field at fault and a sentence for people. */
export type Failure = {
  readonly status: ContentfulStatusCode
  readonly field: string
  readonly description: string
  readonly retryAfterSeconds?: number
}

/** The failure of a request whose `field` is wrong. */
export const badRequest = (field: string, description: string): Failure => ({
  status: 400,
  field,
  description,
})

/** The failure of a request to a path that does not exist. */
export const unknownPath: Failure = {
  status: 404,
  field: 'path',
  description: 'There is nothing at this path',
}

/** The failure of a request to a network whose nodes do not answer. */
export const networkUnavailable: Failure = {
  status: 503,
  field: 'chainId',
  description: 'The network cannot be reached. Try again in a few seconds',
  retryAfterSeconds: 5,
}

/** The error body of the API: `{"status":"FAILED","reasons":[{"field","description"}]}`. */
export const failureBody = ({ field, description }: Failure) => ({
  status: 'FAILED' as const,
  reasons: [{ field, description }],
})

/** The response to a request that failed, with `Retry-After` if waiting helps. */
export function failureResponse(
  failure: Failure,
  given: Readonly<Record<string, string>> = {},
): Response {
  const headers = { ...given }
  if (failure.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(failure.retryAfterSeconds)))
  return Response.json(failureBody(failure), { status: failure.status, headers })
}

/**
 * Thrown to refuse a request with `failure` and `headers`. The app's `onError` turns it into the
 * same response as {@link failureResponse}. Return a {@link Failure} only to callers that decide
 * on it.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly failure: Failure
  private readonly headers: Readonly<Record<string, string>>
  constructor(failure: Failure, headers: Readonly<Record<string, string>> = {}) {
    super(failure.description)
    this.failure = failure
    this.headers = headers
  }

  /** The response. Apps without an `onError` call this too. */
  getResponse(): Response {
    return failureResponse(this.failure, this.headers)
  }
}

/** The result of `work`. Throws `failure` instead of RPC_UNAVAILABLE. */
export async function orUnavailable<Result>(
  failure: Failure,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isError(error, 'RPC_UNAVAILABLE') ? new HttpFailure(failure) : error
  }
}

/** Thrown if a response would exceed the memory limit. It becomes {@link busy}. */
export class OverBudget extends Error {}

/** The failure if the memory limit is reached. */
export const busy: Failure = {
  status: 503,
  field: 'server',
  description: 'The server has too much to send. Try again in a moment',
  retryAfterSeconds: 2,
}

/** The HTTP status of each error code. */
export function getStatus({ code }: Pick<LatchkeyError, 'code'>): ContentfulStatusCode {
  const statuses: Partial<Record<ErrorCode, ContentfulStatusCode>> = errorStatus
  return statuses[code] ?? 500
}

/** The failure for a thrown error. Only our own errors show their text to clients. */
export function toFailure(error: unknown): Failure {
  if (error instanceof HttpFailure) return error.failure
  if (error instanceof OverBudget) return busy
  if (!isError(error)) return { status: 500, field: 'server', description: 'Something went wrong' }
  const { seconds } = error.data as { readonly seconds?: unknown }
  return {
    status: getStatus(error),
    field: error.code.toLowerCase(),
    description: error.message,
    ...(typeof seconds === 'number' && { retryAfterSeconds: seconds }),
  }
}

/** The response for an error that a route threw. */
export const answerError = (error: unknown): Response =>
  error instanceof HttpFailure ? error.getResponse() : failureResponse(toFailure(error))

/** The response to a plain GET on a WebSocket path (RFC 9110 §15.5.22). */
export function upgradeRequired(): Response {
  const description = 'This path opens a WebSocket. Send Upgrade: websocket'
  return failureResponse({ status: 426, field: 'upgrade', description }, { upgrade: 'websocket' })
}
