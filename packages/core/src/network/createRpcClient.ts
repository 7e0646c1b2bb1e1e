import { LatchkeyError, toError } from '@latchkey/wire'
import type { NodeSettings } from '../namespaces/nodeSettings.ts'
import type { Request } from '../namespaces/request.ts'
import { retryAfterMs } from '../server/retryAfter.ts'

/** Retries of a failed request. */
const retryCount = 3
/** The n-th retry waits this times 2^n. */
const retryDelayMs = 150
/** HTTP statuses that are worth a retry. */
const retriedStatuses: readonly number[] = [403, 408, 413, 429, 500, 502, 503, 504]
/** JSON-RPC codes that are worth a retry: unknown, limit exceeded, internal, too many requests. */
const retriedCodes: readonly number[] = [-1, -32005, -32603, 429]
/** Milliseconds until a request that is not answered is given up. */
const requestTimeoutMs = 10_000
/** Longest wait that a server may ask for before a retry; a server that asks for more gets no retry. */
const maxRetryAfterMs = 30_000

type Settings = NodeSettings & { timeoutMs?: number }

type Call = {
  method: string
  params: readonly unknown[] | object
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * A JSON-RPC client of a network's node. Requests of one moment travel as one batch. Errors: RPC_FAILED, RATE_LIMITED,
 * HTTP_FAILED, RPC_UNAVAILABLE, TIMEOUT, ANSWER_INVALID, ABORTED.
 */
export function createRpcClient(settings: Settings): Request {
  let waiting: Call[] = []
  return (method, params = []) =>
    new Promise((resolve, reject) => {
      waiting.push({ method, params, resolve, reject })
      if (waiting.length > 1) return
      queueMicrotask(() => {
        const calls = waiting
        waiting = []
        void sendAll(settings, calls)
      })
    })
}

/** Sends calls; those that fail in a way that may pass are sent again. */
async function sendAll(settings: Settings, first: readonly Call[]) {
  let calls = first
  for (let attempt = 0; calls.length > 0; attempt += 1) {
    const { failed, waitMs } = await sendOnce(settings, calls)
    const again = attempt < retryCount && !settings.signal.aborted
    for (const { call, error } of failed) if (!again || !error.retried) call.reject(error.error)
    calls = again ? failed.filter(({ error }) => error.retried).map(({ call }) => call) : []
    if (calls.length > 0)
      await settings.sleep(waitMs ?? retryDelayMs * 2 ** attempt, settings.signal)
  }
}

type Failure = { error: LatchkeyError; retried: boolean }
type Outcome = { failed: { call: Call; error: Failure }[]; waitMs?: number | undefined }

async function sendOnce(settings: Settings, calls: readonly Call[]): Promise<Outcome> {
  const all = (error: Failure, waitMs?: number): Outcome => ({
    failed: calls.map((call) => ({ call, error })),
    waitMs,
  })
  const timeout = AbortSignal.timeout(settings.timeoutMs ?? requestTimeoutMs)
  try {
    const response = await settings.fetch(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toBody(calls)),
      signal: AbortSignal.any([settings.signal, timeout]),
    })
    if (!response.ok && response.status !== 400)
      return all(...toStatusFailure(response, settings.now()))
    const answer: unknown = await response.json().catch((cause) => {
      if (timeout.aborted || settings.signal.aborted) throw cause
      throw new LatchkeyError(response.ok ? 'ANSWER_INVALID' : 'INVALID_REQUEST', { cause })
    })
    return { failed: deliver(calls, answer) }
  } catch (cause) {
    if (settings.signal.aborted)
      return all({ error: new LatchkeyError('ABORTED', { cause }), retried: false })
    if (timeout.aborted)
      return all({ error: new LatchkeyError('TIMEOUT', { cause }), retried: false })
    const error = toError(cause)
    if (error.code !== 'INTERNAL') return all({ error, retried: false })
    const data = { chain: settings.chain }
    return all({ error: new LatchkeyError('RPC_UNAVAILABLE', { data, cause }), retried: true })
  }
}

function toBody(calls: readonly Call[]) {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  return bodies.length === 1 ? bodies[0] : bodies
}

function toStatusFailure(response: Response, nowMs: number): [Failure, number | undefined] {
  const { status } = response
  const requestedMs = retryAfterMs(response.headers.get('retry-after'), nowMs)
  const retried = retriedStatuses.includes(status) && (requestedMs ?? 0) <= maxRetryAfterMs
  const error =
    status === 429
      ? new LatchkeyError('RATE_LIMITED', {
          data: { seconds: Math.ceil((requestedMs ?? 1000) / 1000) },
        })
      : new LatchkeyError('HTTP_FAILED', { data: { status } })
  return [{ error, retried }, requestedMs]
}

/** Gives each call its answer by id; returns those that failed. */
function deliver(calls: readonly Call[], answer: unknown): Outcome['failed'] {
  const answers = (Array.isArray(answer) ? answer : [answer]) as unknown[]
  // An error without an id refers to the whole request.
  const general = Array.isArray(answer) ? undefined : answer
  const failed: Outcome['failed'] = []
  for (const [id, call] of calls.entries()) {
    const own = answers.find((entry) => (entry as { id?: unknown } | null)?.id === id) ?? general
    const { result, error } = (own ?? {}) as { result?: unknown; error?: unknown }
    if (error) failed.push({ call, error: toRpcFailure(error, call.method) })
    else if (result !== undefined) call.resolve(result)
    else
      failed.push({ call, error: { error: new LatchkeyError('ANSWER_INVALID'), retried: false } })
  }
  return failed
}

function toRpcFailure(cause: unknown, method: string): Failure {
  const { code, message } = cause as { code?: unknown; message?: unknown }
  const retried = typeof code === 'number' && retriedCodes.includes(code)
  if (code === -32601)
    return { error: new LatchkeyError('METHOD_NOT_FOUND', { data: { method }, cause }), retried }
  const reason = typeof message === 'string' ? message.slice(0, 200) : 'Unknown RPC error'
  return { error: new LatchkeyError('RPC_FAILED', { data: { reason }, cause }), retried }
}
