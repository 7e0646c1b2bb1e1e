import { LatchkeyError } from '@latchkey/wire'
import type { Dapp, PendingRequest, Wallet } from '../client.ts'
import { protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { fitsQueue } from '../fitsQueue.ts'
import { getRpcIdTime, type RpcError, toLocalId, toRpcId } from '../jsonRpc.ts'
import type { RequestRecord } from '../records.ts'
import { callPeer, deliverPost, keepPost, seal } from '../send.ts'
import { isExpired } from '../session/isExpired.ts'
import { approvedOn, getApprovedChain } from '../session/namespaces.ts'
import { findSessionRecord, getTarget } from '../session/session.ts'
import { object, optional, read, string, unknown } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { acknowledge } from './sessionSettle.ts'
import { timestamp } from './shapes.ts'

/** An app's method call on a chain. The time to live follows the request's expiry, if present. */
export const sessionRequest = {
  name: 'wc_sessionRequest',
  request: { tag: 1108, ttl: 300, prompt: true },
  response: { tag: 1109, ttl: 300, prompt: false },
  params: object({
    request: object({
      method: string,
      params: optional(unknown),
      expiryTimestamp: optional(timestamp),
    }),
    chainId: string,
  }),
  result: unknown,
} as const satisfies RpcMethod

/** Minimum and maximum time that a request may wait, in seconds. */
export const requestExpiry = { least: 300, greatest: 604_800 } as const

/** App: requests a method call from the wallet. See {@link Dapp.request}. */
export async function requestMethod(
  engine: Engine,
  parameters: Parameters<Dapp['request']>[0],
): Promise<unknown> {
  const { topic, method, params, expirySeconds = requestExpiry.least, signal } = parameters
  const record = findSessionRecord(engine, topic)
  const { relayUrl, namespaces } = record.session
  const chainId = getApprovedChain(namespaces, parameters.chainId)
  if (chainId === undefined)
    throw new LatchkeyError('CHAIN_NOT_APPROVED', { data: { chainId: parameters.chainId } })
  if (!approvedOn(namespaces, chainId).methods.includes(method))
    throw new LatchkeyError('METHOD_NOT_APPROVED', { data: { method } })
  checkExpiry(expirySeconds)
  if (signal?.aborted) throw new LatchkeyError('ABORTED')
  const expiryTimestamp = Math.floor(engine.nowMs(relayUrl) / 1000) + expirySeconds
  const call = callPeer(engine, getTarget(record), {
    id: engine.nextId(relayUrl),
    method: sessionRequest.name,
    params: { request: { method, params, expiryTimestamp }, chainId },
    expirySeconds: expiryTimestamp,
    ...sessionRequest.request,
    ttl: expirySeconds,
    signal,
  })
  const sent = call.sent.then(() =>
    engine.journal.emitHere('session_request_sent', { topic, id: call.id, chainId, method }),
  )
  const waiting = waitForEnd(engine, { relayUrl, expirySeconds, signal })
  try {
    // The response may arrive before the relay confirms the request.
    await Promise.race([sent, call.answer, waiting.end])
    const answer = await Promise.race([call.answer, waiting.end])
    if ('error' in answer) throw walletError(answer.error)
    return answer.result
  } finally {
    waiting.stop()
    call.forget()
  }
}

function checkExpiry(seconds: number): void {
  const { least, greatest } = requestExpiry
  if (Number.isInteger(seconds) && seconds >= least && seconds <= greatest) return
  throw new LatchkeyError('INVALID_PARAMS', {
    data: { reason: `expirySeconds must be a whole number from ${least} to ${greatest}` },
  })
}

const walletError = ({ code, message, data }: RpcError) =>
  new LatchkeyError('WALLET_ERROR', {
    data: { message },
    cause: data === undefined ? { code, message } : { code, message, data },
  })

// After a pause, the response may be waiting at the relay: allows time for its delivery.
const graceMs = 10_000

function waitForEnd(
  { relays }: Engine,
  {
    relayUrl,
    expirySeconds,
    signal,
  }: { relayUrl: string; expirySeconds: number; signal: AbortSignal | undefined },
): { end: Promise<never>; stop: () => void } {
  let stop = () => {}
  const end = new Promise<never>((_, reject) => {
    const expire = () => reject(new LatchkeyError('REQUEST_EXPIRED'))
    const startMs = performance.now()
    let timer = setTimeout(() => {
      const wasAsleep = performance.now() - startMs > expirySeconds * 1000 + graceMs
      const isConnected = relays.status(relayUrl).status === 'connected'
      if (isConnected && !wasAsleep) expire()
      else timer = setTimeout(expire, graceMs)
    }, expirySeconds * 1000)
    const abort = () => reject(new LatchkeyError('ABORTED'))
    signal?.addEventListener('abort', abort)
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  })
  end.catch(() => {})
  return { end, stop }
}

const maxRequests = 100

/** Wallet: handles a method call of an app. */
export function onMethodRequest(engine: Engine, { place, id, params }: Inbound): Reply | undefined {
  if (place.kind !== 'session') return undefined
  const { records, journal } = engine
  const { topic, relayUrl } = place
  const found = read(sessionRequest.params, params)
  if (found === undefined) return { error: protocolError('MALFORMED_REQUEST_PARAMS') }
  // Only the peer of the session can send requests.
  acknowledge(engine, place.record)
  const { method, params: givenParams, expiryTimestamp } = found.request
  const { namespaces } = place.record.session
  const chainId = getApprovedChain(namespaces, found.chainId)
  if (chainId === undefined) return { error: protocolError('UNAUTHORIZED_CHAIN', found.chainId) }
  if (!approvedOn(namespaces, chainId).methods.includes(method))
    return { error: protocolError('UNAUTHORIZED_METHOD', method) }
  const nowMs = engine.nowMs(relayUrl)
  const latest = Math.floor(nowMs / 1000) + requestExpiry.greatest
  const expirySeconds = Math.min(expiryTimestamp ?? readExpiry(id, nowMs), latest)
  if (isExpired(engine, { relayUrl, expirySeconds }))
    return { error: protocolError('SESSION_REQUEST_EXPIRED') }
  if (!fitsQueue(records.requests.all(`${topic}/`), givenParams, maxRequests))
    return { error: { code: -32_005, message: 'Too many requests are open.' } }
  const record: RequestRecord = {
    ...toLocalId(id, () => engine.nextId(relayUrl)),
    topic,
    chainId,
    method,
    params: givenParams,
    expirySeconds,
  }
  const key = `${topic}/${record.id}`
  records.requests.set(key, record)
  journal.emit('session_request', { request: toPending(record) }, key)
  return undefined
}

// If a request has no expiry, it is computed from the time in the request's id.
function readExpiry(id: unknown, nowMs: number): number {
  const sentMs = typeof id === 'number' ? getRpcIdTime(id) : nowMs
  const isTime = Math.abs(sentMs - nowMs) < requestExpiry.greatest * 1000
  return Math.floor((isTime ? sentMs : nowMs) / 1000) + requestExpiry.least
}

/** A request in the form that a wallet's screen shows. */
export const toPending = ({ wireId: _, ...request }: RequestRecord): PendingRequest => ({
  ...request,
  params: request.params,
})

/**
 * Wallet: responds to a request. Throws NO_MATCHING_KEY, EXPIRED, MESSAGE_TOO_LARGE, and the errors
 * of the relay's `publish`.
 */
export async function respondToRequest(
  engine: Engine,
  { topic, id }: { topic: string; id: number },
  answer: Parameters<Wallet['respond']>[2],
): Promise<void> {
  const { records } = engine
  const record = findSessionRecord(engine, topic)
  const key = `${topic}/${id}`
  const request = records.requests.get(key)
  if (request === undefined)
    throw new LatchkeyError('NO_MATCHING_KEY', {
      data: { context: `request id doesn't exist: ${id}` },
    })
  const { relayUrl } = record.session
  if (isExpired(engine, { relayUrl, expirySeconds: request.expirySeconds })) {
    records.requests.remove(key)
    throw new LatchkeyError('EXPIRED', { data: { context: `request id: ${id}` } })
  }
  const target = getTarget(record)
  const message = seal(engine, target, { id: toRpcId(request), ...answer })
  // The request ends only when its response is stored: a response that is too large does not count.
  const post = keepPost(engine, target, message, sessionRequest.response)
  records.requests.remove(key)
  await deliverPost(engine, post)
}
