import {
  anySignal,
  getSmallerBatch,
  isForeignAnswer,
  LatchkeyError,
  refusesBatch,
  toError,
} from '@latchkey/wire'
import type { NodeSettings } from '../namespaces/nodeSettings.ts'
import type { Request } from '../namespaces/request.ts'
import { retryAfterMs } from '../server/retryAfter.ts'

/** Retries of a failed request. */
const retryCount = 3
/** The n-th retry waits this time multiplied by 2^n. */
const retryDelayMs = 150
/** HTTP statuses that are worth a retry. */
const retriedStatuses: readonly number[] = [403, 408, 413, 429, 500, 502, 503, 504]
/** JSON-RPC codes that are worth a retry: unknown, limit exceeded, internal, too many requests. */
const retriedCodes: readonly number[] = [-1, -32005, -32603, 429]
/** HTTP statuses of nodes that refuse a batch but accept its calls individually. */
const batchStatuses: readonly number[] = [400, 405, 413, 415, 422, 501]
/** The timeout of a request. */
const requestTimeoutMs = 10_000
/**
 * The longest delay that a server may request before a retry; a server that requests more gets no
 * retry.
 */
const maxRetryAfterMs = 30_000

/** The longest reason of a failure that an error repeats, in characters. */
const maxReasonLength = 200

type Settings = NodeSettings & { timeoutMs?: number }

type RpcCall = {
  method: string
  params: readonly unknown[] | object
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** A node and the largest batch that the client sends to it, which each refusal makes smaller. */
type Node = { settings: Settings; batchMax: number }

/**
 * A JSON-RPC client for a network's node. Simultaneous requests are sent in a single batch. A batch
 * that the node refuses is sent again in smaller batches, and the client remembers their size.
 * Errors: RPC_FAILED, RATE_LIMITED, HTTP_FAILED, RPC_UNAVAILABLE, TIMEOUT, ANSWER_INVALID, ABORTED.
 */
export function createRpcClient(settings: Settings): Request {
  const node: Node = { settings, batchMax: Number.POSITIVE_INFINITY }
  let waiting: RpcCall[] = []
  return (method, params = []) =>
    new Promise((resolve, reject) => {
      waiting.push({ method, params, resolve, reject })
      if (waiting.length > 1) return
      queueMicrotask(() => {
        const calls = waiting
        waiting = []
        void sendAll(node, calls)
      })
    })
}

/** Sends calls in batches of at most `max`. */
async function sendAll(node: Node, calls: readonly RpcCall[], max = node.batchMax) {
  const parts: Promise<void>[] = []
  for (let start = 0; start < calls.length; start += max)
    parts.push(sendBatch(node, calls.slice(start, start + max)))
  await Promise.all(parts)
}

/** Sends a batch; retries the calls that fail with a temporary error. */
async function sendBatch(node: Node, first: readonly RpcCall[]) {
  const { settings } = node
  let calls = first
  for (let attempt = 0; calls.length > 0; attempt += 1) {
    const { failed, waitMs, refused } = await sendOnce(settings, calls)
    const again = attempt < retryCount && !settings.signal.aborted
    for (const { call, error } of failed) if (!again || !error.retried) call.reject(error.error)
    if (refused) await sendSmaller(node, refused, calls.length)
    calls = again ? failed.filter(({ error }) => error.retried).map(({ call }) => call) : []
    if (calls.length > 0)
      await settings.sleep(waitMs ?? retryDelayMs * 2 ** attempt, settings.signal)
  }
}

/**
 * Sends the calls of a refused batch of `sent` calls; the first smaller batch shows whether it is
 * small enough.
 */
async function sendSmaller(node: Node, { calls, reason, isLimit }: Refusal, sent: number) {
  const smaller = getSmallerBatch(reason, sent)
  if (isLimit) node.batchMax = Math.min(node.batchMax, smaller)
  await sendBatch(node, calls.slice(0, smaller))
  await sendAll(node, calls.slice(smaller), Math.min(node.batchMax, smaller))
}

type Failure = { error: LatchkeyError; retried: boolean }
/**
 * Calls of a batch that the node did not answer individually; `isLimit` if each batch of this size
 * will be refused.
 */
type Refusal = { calls: readonly RpcCall[]; reason: string; isLimit: boolean }
type BatchResult = {
  failed: { call: RpcCall; error: Failure }[]
  waitMs?: number | undefined
  refused?: Refusal | undefined
}

async function sendOnce(settings: Settings, calls: readonly RpcCall[]): Promise<BatchResult> {
  const all = (error: Failure, waitMs?: number): BatchResult => ({
    failed: calls.map((call) => ({ call, error })),
    waitMs,
  })
  const timeout = AbortSignal.timeout(settings.timeoutMs ?? requestTimeoutMs)
  try {
    const response = await settings.fetch(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toBody(calls)),
      signal: anySignal([settings.signal, timeout]),
    })
    const notJson = response.ok ? 'ANSWER_INVALID' : 'INVALID_REQUEST'
    const text = await response.text().catch((cause) => {
      if (timeout.aborted || settings.signal.aborted) throw cause
      throw new LatchkeyError(notJson, { cause })
    })
    const answer = parseJson(text)
    // The node was not reached.
    if (answer === undefined && isPage(response)) throw new TypeError('a page of the network')
    const refused = calls.length > 1 && readRefusal(response, text, answer)
    if (refused) return { failed: [], refused: { ...refused, calls } }
    if (!response.ok && response.status !== 400)
      return all(...toStatusFailure(response, settings.now()))
    if (answer === undefined) throw new LatchkeyError(notJson)
    const reason = response.ok ? undefined : readServerReason(answer)
    if (reason !== undefined)
      return all({ error: new LatchkeyError('RPC_FAILED', { data: { reason } }), retried: false })
    return deliver(calls, answer)
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

/**
 * Whether the response is a page of the network in between instead of the node's response. Nodes
 * respond in plain text too.
 */
const isPage = (response: Response) =>
  isForeignAnswer(response) && !/plain/.test(response.headers.get('content-type') ?? '')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Why a node refused a batch as a whole, from its message or its status; `deliver` reads JSON-RPC
 * errors without such a message.
 */
function readRefusal({ ok, status }: Response, text: string, answer: unknown) {
  if (Array.isArray(answer)) return undefined
  const { error } = (answer ?? {}) as { error?: unknown }
  const message = (error as { message?: unknown } | undefined)?.message ?? error
  const reason = (typeof message === 'string' ? message : text).slice(0, 1000)
  const isStatus = batchStatuses.includes(status) && (status !== 400 || answer === undefined)
  if (!refusesBatch(reason) && !isStatus && !(ok && answer === undefined)) return undefined
  return { reason, isLimit: !ok || refusesBatch(reason) }
}

/** The reason in a refusal of our server: `{ reasons: [{ field, description }] }`. */
function readServerReason(answer: unknown): string | undefined {
  const { reasons } = (answer ?? {}) as { reasons?: unknown }
  const [first] = Array.isArray(reasons) ? reasons : []
  const description: unknown = first?.description
  return typeof description === 'string' ? description.slice(0, maxReasonLength) : undefined
}

function toBody(calls: readonly RpcCall[]) {
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

/**
 * Passes each call its response by id. Returns the calls that failed, and the calls of a batch that
 * the node did not answer by id.
 */
function deliver(calls: readonly RpcCall[], answer: unknown): BatchResult {
  const answers = (Array.isArray(answer) ? answer : [answer]) as unknown[]
  // An error without an id refers to the whole request.
  const general = isGeneral(answer) ? answers[0] : undefined
  const failed: BatchResult['failed'] = []
  const refused: { call: RpcCall; reason: string }[] = []
  for (const [id, call] of calls.entries()) {
    const own = answers.find((entry) => (entry as { id?: unknown } | null)?.id === id)
    const { result, error } = (own ?? general ?? {}) as { result?: unknown; error?: unknown }
    const failure = error ? toRpcFailure(error, call.method) : undefined
    const reason = failure?.error.message ?? ''
    if (calls.length > 1 && (refusesBatch(reason) || (!own && !failure?.retried)))
      refused.push({ call, reason })
    else if (failure) failed.push({ call, error: failure })
    else if (result !== undefined) call.resolve(result)
    else
      failed.push({ call, error: { error: new LatchkeyError('ANSWER_INVALID'), retried: false } })
  }
  if (refused.length === 0) return { failed }
  const reason = refused.find((one) => refusesBatch(one.reason))?.reason ?? ''
  return {
    failed,
    refused: { calls: refused.map(({ call }) => call), reason, isLimit: reason !== '' },
  }
}

const isGeneral = (answer: unknown) =>
  !Array.isArray(answer) || (answer.length === 1 && (answer[0]?.id ?? null) === null)

function toRpcFailure(cause: unknown, method: string): Failure {
  const { code, message } = cause as { code?: unknown; message?: unknown }
  const retried = typeof code === 'number' && retriedCodes.includes(code)
  if (code === -32601)
    return { error: new LatchkeyError('METHOD_NOT_FOUND', { data: { method }, cause }), retried }
  const reason =
    typeof message === 'string' ? message.slice(0, maxReasonLength) : 'Unknown RPC error'
  return { error: new LatchkeyError('RPC_FAILED', { data: { reason }, cause }), retried }
}
