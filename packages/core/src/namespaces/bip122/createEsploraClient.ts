import { anySignal, isForeignAnswer, LatchkeyError, toError } from '@latchkey/wire'
import { retryAfterMs } from '../../server/retryAfter.ts'
import type { NodeSettings } from '../nodeSettings.ts'
import type { Request } from '../request.ts'

/**
 * How often a failed request is retried. Broadcasting a transaction again is safe, because its id
 * stays the same.
 */
const retryCount = 3
/** The delay before the n-th retry is this times 2^n. */
const retryDelayMs = 150
const retriedStatuses: readonly number[] = [408, 429, 500, 502, 503, 504]
/** The timeout of a request. */
const requestTimeoutMs = 15_000
/** The longest `Retry-After` that is respected before a retry. */
const maxRetryAfterMs = 30_000
const maxReasonLength = 200

/**
 * A client for an Esplora endpoint (https://github.com/Blockstream/esplora/blob/master/API.md):
 * `GET` with a path, `POST` with a path and a body. Responses are JSON, or plain text if the
 * endpoint declares it. Throws RPC_FAILED with the endpoint's own message, RATE_LIMITED,
 * HTTP_FAILED, RPC_UNAVAILABLE, TIMEOUT, ANSWER_INVALID and ABORTED.
 */
export function createEsploraClient(settings: NodeSettings): Request {
  return async (method, params) => {
    const [path = '', body] = (Array.isArray(params) ? params : []) as (string | undefined)[]
    for (let attempt = 0; ; attempt += 1) {
      const { answer, error, retried, waitMs } = await send(settings, { method, path, body })
      if (!error) return answer
      if (!retried || attempt >= retryCount || settings.signal.aborted) throw error
      await settings.sleep(waitMs ?? retryDelayMs * 2 ** attempt, settings.signal)
    }
  }
}

type EsploraResult = {
  answer?: unknown
  error?: LatchkeyError
  retried?: boolean
  waitMs?: number | undefined
}

async function send(
  settings: NodeSettings,
  { method, path, body }: { method: string; path: string; body: string | undefined },
): Promise<EsploraResult> {
  const timeout = AbortSignal.timeout(requestTimeoutMs)
  try {
    const response = await settings.fetch(toUrl(settings.url, path), {
      method,
      // Plain text needs no CORS preflight.
      ...(body !== undefined && { body, headers: { 'content-type': 'text/plain' } }),
      signal: anySignal([settings.signal, timeout]),
    })
    const type = response.headers.get('content-type') ?? ''
    const isJson = /json/.test(type)
    // A page from the local network, for example a captive portal: the node was not reached.
    if (/html/.test(type) && isForeignAnswer(response)) throw new TypeError('a page of the network')
    if (!response.ok) return await toFailure(response, { isJson, nowMs: settings.now() })
    const text = await response.text()
    return { answer: isJson ? parse(text) : text.trim() }
  } catch (cause) {
    if (settings.signal.aborted) return { error: new LatchkeyError('ABORTED', { cause }) }
    if (timeout.aborted) return { error: new LatchkeyError('TIMEOUT', { cause }) }
    const error = toError(cause)
    if (error.code !== 'INTERNAL') return { error }
    const data = { chain: settings.chain }
    return { error: new LatchkeyError('RPC_UNAVAILABLE', { data, cause }), retried: true }
  }
}

/** Inserts the path before the query, which holds the project's id. */
function toUrl(base: string, path: string): string {
  const [start = '', query] = base.split('?')
  return `${start.replace(/\/$/, '')}${path}${query ? `?${query}` : ''}`
}

async function toFailure(
  response: Response,
  { isJson, nowMs }: { isJson: boolean; nowMs: number },
): Promise<EsploraResult> {
  const { status } = response
  // Plain text is the endpoint's own refusal, JSON is our server's.
  if (!isJson && (status === 400 || status === 404)) {
    const reason = (await response.text()).trim().slice(0, maxReasonLength)
    return { error: new LatchkeyError('RPC_FAILED', { data: { reason } }) }
  }
  const waitMs = retryAfterMs(response.headers.get('retry-after'), nowMs)
  const retried = retriedStatuses.includes(status) && (waitMs ?? 0) <= maxRetryAfterMs
  const seconds = Math.ceil((waitMs ?? 1_000) / 1_000)
  const error =
    status === 429
      ? new LatchkeyError('RATE_LIMITED', { data: { seconds } })
      : new LatchkeyError('HTTP_FAILED', { data: { status } })
  return { error, retried, waitMs }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
}
