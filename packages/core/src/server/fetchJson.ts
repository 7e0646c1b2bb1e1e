import {
  type AlertCode,
  anySignal,
  csrfHeader,
  errorCodeFromText,
  isForeignAnswer,
  LatchkeyError,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { warnUnreachable } from '../development/warnings.ts'
import { showAlert } from '../modal/showError.ts'
import { getApiUrl } from './getApiUrl.ts'
import { readResponseJson } from './readResponseJson.ts'
import { retryAfterMs } from './retryAfter.ts'

/** The timeout of a call. */
export const apiTimeoutMs = 20_000

type Values = Readonly<Record<string, string | undefined>>

/** The parts of a server call; the path is a route, for example `/v1/account/:address/balance`. */
export type ServerRequest = {
  method: 'GET' | 'POST'
  path: string
  params?: Values
  query?: Values
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** Whether to send and accept the server's cookies. */
  isCookie?: boolean
  /** Whether the request outlives the page. */
  keepalive?: boolean
}

/**
 * Calls the server and returns the JSON of its response for the caller to parse; undefined if the
 * response is not JSON, longer than 4 MB or nested deeper than 64 levels. Errors:
 * INVALID_PROJECT_ID and INVALID_APP_CONFIGURATION (each also an alert), RATE_LIMITED, HTTP_FAILED
 * with the server's `field` and `reason` if present, TIMEOUT, OFFLINE (also if the network answers
 * in place of the server), ABORTED.
 */
export async function fetchJson(app: App, question: ServerRequest): Promise<unknown> {
  const { method, path, params = {}, query = {}, body, headers, signal } = question
  const { isCookie, keepalive } = question
  const response = await fetchRoute(app, {
    url: getApiUrl(app, fillPath(path, params), query),
    method,
    body,
    headers,
    signal,
    options: { ...(isCookie && { credentials: 'include' }), ...(keepalive && { keepalive }) },
  })
  const isForeign = isForeignAnswer(response)
  if (process.env.NODE_ENV !== 'production' && isOtherServer(response)) warnUnreachable(app)
  if (!response.ok && !isForeign) throw await toRefusalError(app, response)
  const answer = await readResponseJson(response).catch(() => undefined)
  if (signal?.aborted) throw new LatchkeyError('ABORTED')
  if (!isForeign || (response.ok && answer !== undefined)) return answer
  if (process.env.NODE_ENV !== 'production') warnUnreachable(app)
  throw new LatchkeyError('OFFLINE')
}

/** Whether another server answered that it has no such route: ours answers in JSON. */
const isOtherServer = ({ status, headers }: Response) =>
  status === 404 && !/json/i.test(headers.get('content-type') ?? '')

const fillPath = (path: string, params: Values) =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))

async function fetchRoute(
  app: App,
  parameters: {
    url: string
    method: string
    body: unknown
    headers: Readonly<Record<string, string>> | undefined
    signal: AbortSignal | undefined
    options: RequestInit
  },
) {
  const { url, method, body, headers, signal, options } = parameters
  const timeout = AbortSignal.timeout(apiTimeoutMs)
  try {
    return await app.environment.fetch(url, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(headers && { headers }),
      ...options,
      signal: anySignal([app.signal, timeout, ...(signal ? [signal] : [])]),
    })
  } catch (cause) {
    const isAborted = app.signal.aborted || signal?.aborted
    if (process.env.NODE_ENV !== 'production' && !isAborted) warnUnreachable(app)
    if (timeout.aborted) throw new LatchkeyError('TIMEOUT', { cause })
    if (isAborted) throw new LatchkeyError('ABORTED', { cause })
    throw new LatchkeyError('OFFLINE', { cause })
  }
}

/**
 * The error for a status other than 2xx. Errors that the developer must fix are also shown as an
 * alert.
 */
async function toRefusalError(app: App, response: Response): Promise<LatchkeyError> {
  const { status } = response
  if (status === 429) {
    const waitMs = retryAfterMs(response.headers.get('retry-after'), app.environment.now())
    return new LatchkeyError('RATE_LIMITED', {
      data: { seconds: Math.ceil((waitMs ?? 1000) / 1000) },
    })
  }
  const text = await response.text().catch(() => '')
  const { field, description } = readReason(text)
  // An invalid signature or session of an account does not mean that the project is invalid.
  const isSigner = ['signature', 'address', 'session', csrfHeader].includes(String(field))
  const error = isSigner ? undefined : toAlert(errorCodeFromText(text), status)
  if (!error)
    return new LatchkeyError('HTTP_FAILED', {
      data: { status, ...(description !== undefined && { field, reason: String(description) }) },
    })
  showAlert(app, error)
  return error
}

/**
 * The first reason in a body `{"reasons":[{"field","description"}]}`; an empty object if there is
 * no reason.
 */
function readReason(text: string): { field?: unknown; description?: unknown } {
  try {
    return JSON.parse(text).reasons[0] ?? {}
  } catch {
    return {}
  }
}

function toAlert(
  errorCode: string | undefined,
  status: number,
): LatchkeyError<AlertCode> | undefined {
  if (errorCode === 'SESSION_EXPIRED') return new LatchkeyError('SESSION_EXPIRED')
  if (errorCode === 'INVALID_PROJECT_ID' || (!errorCode && status === 401))
    return new LatchkeyError('INVALID_PROJECT_ID')
  if (errorCode === 'INVALID_APP_CONFIGURATION' || status === 403)
    return new LatchkeyError('INVALID_APP_CONFIGURATION', { data: { origin: pageOrigin() } })
  return undefined
}

const pageOrigin = () => (typeof location === 'undefined' ? 'of this server' : location.origin)
