import { type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { isError, LatchkeyError } from '@latchkey/wire'
import type { MemoryReservation } from '../http/createResponseMemory.ts'
import { getCurrentClient } from '../http/currentClient.ts'
import { OverBudget } from '../http/failure.ts'
import type { FetchedContent, Outbound } from './createOutbound.ts'
import { openConnection, resolveChecked } from './openConnection.ts'
import { encodings, readBody } from './readBody.ts'
import { getSite, readTarget, type Target } from './readTarget.ts'

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

export type FetchOptions = {
  /**
   * Accepted content types: `application/json`, or a whole kind: `image/*`. A missing type counts
   * as bytes.
   */
  readonly accept: readonly string[]
  /** The limit for the body, both compressed and decompressed. */
  readonly maxBytes: number
  /**
   * The time limit from name resolution to the last byte, including redirects. Waiting for the
   * first slot may take as long again.
   */
  readonly timeoutMs: number
}

/**
 * GETs an untrusted URL in a way that cannot reach this host or its network: it dials only public
 * addresses, which it checks for every redirect, and bounds size, time and number of requests.
 * Concurrent calls for the same URL share one request. Throws OUTBOUND_REFUSED (no request was
 * made), OUTBOUND_FAILED, and OverBudget if there is no memory left for it.
 */
export async function fetchOutside(
  outbound: Outbound,
  url: string,
  options: FetchOptions,
): Promise<FetchedContent> {
  const key = JSON.stringify([url, options.accept, options.maxBytes])
  const flying = outbound.pending.get(key)
  if (flying) return flying
  const flight = fetchOnce(outbound, url, options).finally(() => outbound.pending.delete(key))
  outbound.pending.set(key, flight)
  return flight
}

async function fetchOnce(
  outbound: Outbound,
  url: string,
  options: FetchOptions,
): Promise<FetchedContent> {
  const reservation = outbound.responseMemory.open(undefined)
  if (reservation === undefined) throw new OverBudget()
  const count = (outcome: string) => outbound.fetches.inc({ outcome })
  try {
    const fetched = await followRedirects(outbound, url, { ...options, reservation })
    count('ok')
    return fetched
  } catch (error) {
    count(isError(error, 'OUTBOUND_REFUSED') ? 'refused' : 'failed')
    throw error
  } finally {
    reservation.release()
  }
}

type Flight = FetchOptions & { readonly reservation: MemoryReservation }

async function followRedirects(
  outbound: Outbound,
  url: string,
  options: Flight,
): Promise<FetchedContent> {
  const { concurrency, stopping } = outbound
  let target = readTarget(url, outbound)
  const abort = new AbortController()
  const { signal } = abort
  const stop = () => abort.abort(outboundFailed(target, 'it took too long'))
  if (stopping?.aborted) stop()
  stopping?.addEventListener('abort', stop, { once: true })
  const stopWaiting = () => abort.abort(outboundFailed(target, 'too many requests wait before it'))
  let timer = setTimeout(stopWaiting, options.timeoutMs)
  let isStarted = false
  try {
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const answer = await concurrency.run({
        key: getSite(target.host, outbound.operatorHosts),
        client: getCurrentClient(),
        signal,
        full: () => outboundFailed(target, 'too many requests wait for this site'),
        work: () => {
          // Waiting for the first slot is our own delay, not the site's.
          if (!isStarted) {
            clearTimeout(timer)
            timer = setTimeout(stop, options.timeoutMs)
            isStarted = true
          }
          return untilAborted(get(outbound, target, { ...options, signal }), signal)
        },
      })
      if (typeof answer !== 'string') return answer
      target = readTarget(answer, outbound)
    }
    throw outboundFailed(target, 'it redirects too often')
  } catch (error) {
    if (isError(error) || error instanceof OverBudget) throw error
    throw outboundFailed(target, 'no answer', error)
  } finally {
    clearTimeout(timer)
    stopping?.removeEventListener('abort', stop)
  }
}

/**
 * Settles when the time is up, even if the running work ignores the signal, as name resolution
 * does.
 */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const forget = () => signal.removeEventListener('abort', onAbort)
    work.then(forget, forget)
  })
  return Promise.race([aborted, work])
}

type Asking = Flight & { readonly signal: AbortSignal }

/** The response, or the URL that it redirects to. */
async function get(
  outbound: Outbound,
  target: Target,
  asking: Asking,
): Promise<FetchedContent | string> {
  const addresses = await resolveChecked(outbound, target)
  asking.signal.throwIfAborted()
  const response = await ask(openConnection(outbound, target, addresses), target, asking)
  try {
    const { statusCode = 0, headers } = response
    if (redirects.has(statusCode)) return getRedirect(target, headers.location)
    if (statusCode !== 200) throw outboundFailed(target, `its status is ${statusCode}`)
    const type = parseMediaType(headers['content-type'])
    if (!asking.accept.some((pattern) => matches(type, pattern)))
      throw outboundFailed(target, `its type is ${type.slice(0, 80)}`)
    const fail = (reason: string) => outboundFailed(target, reason)
    const bytes = await readBody(response, { ...asking, fail })
    return { url: target.url.href, type, bytes }
  } finally {
    response.destroy()
  }
}

const ask = (connection: Duplex, { url }: Target, { accept, signal }: Asking) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const onClose = () => reject(new Error('closed'))
    // The request begins to listen a tick later, and would miss a connection that has ended by
    // then.
    connection.on('error', reject).on('close', onClose)
    request({
      createConnection: () => connection,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      signal,
      headers: {
        host: url.host,
        accept: accept.join(', '),
        'accept-encoding': encodings,
        'user-agent': 'Latchkey',
      },
    })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => {
        connection.destroy()
        // If the peer sent something other than a response, for example a protocol upgrade.
        onClose()
      })
      .end()
  })

function getRedirect(target: Target, location: string | undefined): string {
  if (location === undefined || !URL.canParse(location, target.url))
    throw outboundFailed(target, 'it redirects without a location')
  return new URL(location, target.url).href
}

const parseMediaType = (type = 'application/octet-stream') =>
  (type.split(';')[0] ?? '').trim().toLowerCase()

const matches = (type: string, pattern: string) =>
  pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

const outboundFailed = ({ host }: Target, reason: string, cause?: unknown) =>
  new LatchkeyError('OUTBOUND_FAILED', { data: { host, reason }, cause })
