import { type ChainId, LatchkeyError, parseBoundedJson } from '@latchkey/wire'
import type { Logger } from 'pino'
import type { MemoryReservation, ResponseMemory } from '../../http/createResponseMemory.ts'
import { OverBudget } from '../../http/failure.ts'
import { createTrimmer } from '../../nodes/trimAnswer.ts'

/**
 * The limits of requests to an outside source: time for one attempt, bytes, retries, and the pause
 * between them.
 */
export type RequestLimits = {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly retries: number
  readonly pauseMs: number
}

/** Why a response cannot be used, and whether a retry may help. */
export type SourceFault = {
  readonly fault: string
  readonly again: boolean
  readonly afterMs?: number
}

/** How an explorer's API is reached. */
export type ExplorerParameters = {
  readonly chainId: ChainId
  readonly url: string
  readonly apiKey: string | undefined
  readonly limits: RequestLimits
  readonly log: Logger
  readonly responseMemory: ResponseMemory
}

type Params<Answer> = {
  readonly chainId: ChainId
  readonly url: URL
  readonly headers?: Record<string, string>
  readonly limits: RequestLimits
  readonly log: Logger
  readonly responseMemory: ResponseMemory
  /** Parses JSON, or returns why it is not valid. */
  readonly read: (json: unknown) => { readonly answer: Answer } | SourceFault
}

/** The sender of a transaction chooses the size of its calldata. Explorers also show it decoded. */
const trim = { emptied: 'parameters', maxString: 1_024 }
/** How many times larger a response may be before it is trimmed. */
const untrimmedFactor = 16

/**
 * The longest pause that a source may demand; if it is longer, the client gets an error and can
 * retry later.
 */
const maxPauseMs = 2_000

/**
 * Requests JSON from an outside source, and retries after a pause if that may help. Throws
 * HISTORY_UNAVAILABLE, and OverBudget if the response does not fit in memory. Only the host of the
 * URL is logged, because the rest contains the operator's key.
 */
export async function getJson<Answer>(params: Params<Answer>): Promise<Answer> {
  const { chainId, url, limits, log, read } = params
  for (let tries = 0; ; tries++) {
    const response = await fetchJson(params)
    const result = 'json' in response ? read(response.json) : response
    if ('answer' in result) return result.answer
    const { fault, again, afterMs = limits.pauseMs * 2 ** tries } = result
    log.warn({ chain: chainId, source: url.host, fault, tries: tries + 1 }, 'history source failed')
    if (!again || tries >= limits.retries || afterMs > maxPauseMs)
      throw new LatchkeyError('HISTORY_UNAVAILABLE', {
        data: { chain: chainId, seconds: Math.max(5, Math.ceil(afterMs / 1000)) },
      })
    await new Promise((resolve) => setTimeout(resolve, afterMs))
  }
}

async function fetchJson<Answer>({
  url,
  headers,
  limits,
  responseMemory,
}: Params<Answer>): Promise<{ json: unknown } | SourceFault> {
  const reservation = responseMemory.open(undefined)
  if (reservation === undefined) throw new OverBudget()
  const signal = AbortSignal.timeout(limits.timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    })
    const refused = getFault(response)
    if (refused !== undefined) {
      await response.body?.cancel()
      return refused
    }
    const text = await readText(response, limits.maxBytes, reservation)
    if (text === undefined) return { fault: 'tooLarge', again: false }
    return { json: parseBoundedJson(text) }
  } catch (error) {
    if (error instanceof OverBudget) throw error
    if (error instanceof SyntaxError) return { fault: 'notJson', again: true }
    // After a timeout the request is not retried, because the client is still waiting.
    return signal.aborted
      ? { fault: 'timeout', again: false }
      : { fault: 'connection', again: true }
  } finally {
    reservation.release()
  }
}

function getFault(response: Response): SourceFault | undefined {
  if (response.ok) return undefined
  const fault = `status ${response.status}`
  if (response.status !== 429 && response.status < 500) return { fault, again: false }
  const seconds = Number(response.headers.get('retry-after') || Number.NaN)
  return { fault, again: true, ...(seconds >= 0 && { afterMs: seconds * 1000 }) }
}

async function readText(
  response: Response,
  maxBytes: number,
  reservation: MemoryReservation,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  const trimmer = createTrimmer(trim)
  let seen = 0
  let bytes = 0
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const chunk of response.body ?? []) {
    const kept = trimmer(Buffer.from(chunk))
    seen += chunk.byteLength
    bytes += kept.byteLength
    if (bytes > maxBytes || seen > maxBytes * untrimmedFactor) return undefined
    if (!reservation.add(kept.byteLength)) throw new OverBudget()
    chunks.push(kept)
  }
  return Buffer.concat(chunks).toString('utf8')
}
