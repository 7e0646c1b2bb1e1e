import { pipeline } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { MemoryReservation, ResponseMemory } from '../http/createResponseMemory.ts'
import { encodings, getUnpacker } from '../outbound/readBody.ts'
import type { BatchLimit } from './batchLimit.ts'

/** Why an upstream's response cannot be used. */
export type UpstreamFault =
  | 'connection'
  | 'timeout'
  | 'slow'
  | 'status'
  | 'redirect'
  | 'notJson'
  | 'badAnswer'
  | 'tooLarge'
  | 'busy'
  | 'wrongChain'
  | 'quota'
  | 'nodeFault'

/** An HTTP request to a node, and the parser of its response. */
export type NodeRequest<Answer extends object> = {
  readonly method: 'GET' | 'POST'
  /** The path to append to the node's URL. */
  readonly path: string
  readonly body?: string
  readonly contentType: string
  /** Whether the client decides how much work the request causes. */
  readonly isCostly?: boolean
  /** Statuses of usable responses, in addition to 200 to 299. */
  readonly statuses: readonly number[]
  /**
   * Creates a function that shortens the response while it arrives, chunk by chunk. Only the
   * remaining bytes count as its size.
   */
  readonly trim?: (() => (chunk: Buffer) => Buffer) | undefined
  read(text: string, status: number): Answer | UpstreamFault
  /** Whether another node may have a better response. If no node does, this response counts. */
  isInconclusive(answer: Answer): boolean
  /** Sends a batch of JSON-RPC calls in the parts that a node accepts. */
  readonly sendSplit?:
    | ((splitting: Splitting<Answer>) => Promise<Answer | UpstreamFault>)
    | undefined
}

/** The limit of a node, and how a part of a batch is sent to the node. */
export type Splitting<Answer extends object> = {
  readonly limit: BatchLimit
  send(request: NodeRequest<Answer>): Promise<Answer | UpstreamFault>
}

type Limits = {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly responseMemory: Pick<ResponseMemory, 'open'>
  /**
   * Holds the bytes of the response, also after it has arrived; without it they count only while
   * the response is read.
   */
  readonly reservation?: MemoryReservation | undefined
  /** Aborted when the response is no longer needed. */
  readonly signal?: AbortSignal | undefined
}

/** How many bytes of a response are read at most if it is trimmed. */
const maxUntrimmedBytes = 256 * 1024 * 1024

const agent = new Agent({
  // Closes an idle connection before the node does, perhaps just when it is needed.
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 4_000,
  // `timeoutMs` limits each request as a whole.
  headersTimeout: 0,
  bodyTimeout: 0,
})

/**
 * Sends a request to one upstream. Follows no redirect; `timeoutMs` limits the whole request, and
 * at most `maxBytes` are held. Returns `busy` if there is no memory for them.
 */
export async function requestUpstream<Answer extends object>(
  url: string,
  request: NodeRequest<Answer>,
  { responseMemory, reservation: given, ...limits }: Limits,
): Promise<Answer | UpstreamFault> {
  const reservation = given ?? responseMemory.open(undefined)
  if (reservation === undefined) return 'busy'
  const outcome = await send(url, request, { ...limits, reservation })
  if (given === undefined) reservation.release()
  return outcome
}

type ReservedLimits = Omit<Limits, 'responseMemory' | 'reservation'> & {
  readonly reservation: MemoryReservation
}

async function send<Answer extends object>(
  url: string,
  request: NodeRequest<Answer>,
  limits: ReservedLimits,
): Promise<Answer | UpstreamFault> {
  const { signal, timeoutMs, maxBytes } = limits
  if (signal?.aborted) return 'connection'
  const abort = new AbortController()
  let isLate = false
  const stop = () => abort.abort()
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, timeoutMs)
  signal?.addEventListener('abort', stop)
  try {
    const response = await agent.request({ ...buildRequest(url, request), signal: abort.signal })
    // An error without a listener ends the process.
    response.body.on('error', () => {})
    const limit = request.trim === undefined ? maxBytes : maxUntrimmedBytes
    const fault = getFault(response, request.statuses, limit)
    const body = fault === undefined ? await readBody(response, request, limits) : { fault }
    if (typeof body === 'string') return request.read(body, response.statusCode)
    stop()
    return body.fault
  } catch {
    stop()
    return isLate ? 'timeout' : 'connection'
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

type NodeResponse = Dispatcher.ResponseData
type Message = Pick<NodeRequest<object>, 'method' | 'path' | 'body' | 'contentType'>

function buildRequest(url: string, { method, path, body, contentType }: Message) {
  const { origin, pathname, search, username, password } = new URL(joinPath(url, path))
  const credentials = decodeURIComponent(`${username}:${password}`)
  const headers = {
    accept: 'application/json, text/plain;q=0.9',
    'accept-encoding': encodings,
    // Some providers refuse requests without a user agent.
    'user-agent': 'node',
    ...(body !== undefined && { 'content-type': contentType }),
    ...(credentials !== ':' && {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    }),
  }
  return { origin, path: pathname + search, method, headers, ...(body !== undefined && { body }) }
}

// An operator's URL may end with a slash, or carry a key in its query.
function joinPath(url: string, path: string): string {
  if (path === '') return url
  const target = new URL(url)
  target.pathname = target.pathname.replace(/\/+$/, '') + path
  return target.href
}

function getFault(
  { statusCode: status, headers }: NodeResponse,
  statuses: readonly number[],
  maxBytes: number,
): UpstreamFault | undefined {
  if (status >= 300 && status < 400) return 'redirect'
  if ((status < 200 || status >= 300) && !statuses.includes(status)) return toStatusFault(status)
  if (getUnpacker(getEncoding(headers)) === 'unknown') return 'notJson'
  return Number(headers['content-length'] ?? 0) > maxBytes ? 'tooLarge' : undefined
}

const getEncoding = ({ 'content-encoding': encoding }: NodeResponse['headers']) =>
  Array.isArray(encoding) ? encoding.join() : encoding

/** The fault for a status of an unusable response. */
export const toStatusFault = (status: number): UpstreamFault =>
  status === 429 ? 'quota' : 'status'

/**
 * Reads the body as a string, decompressed as it arrives. Throws if the connection ends before it
 * is complete.
 */
async function readBody(
  { body: response, headers }: NodeResponse,
  { trim }: Pick<NodeRequest<object>, 'trim'>,
  { maxBytes, reservation }: ReservedLimits,
): Promise<string | { readonly fault: UpstreamFault }> {
  const unpack = getUnpacker(getEncoding(headers))
  const chunks: Buffer[] = []
  const shorten = createShortener(trim?.())
  let seen = 0
  let bytes = 0
  let fault: UpstreamFault | undefined
  let isComplete = false
  try {
    // Uses events, which cost half as much as a loop over the stream.
    await new Promise<void>((resolve, reject) => {
      const source =
        typeof unpack === 'function'
          ? pipeline(response, unpack(), (error) => error && reject(error))
          : response
      source.on('data', (received: Buffer) => {
        if (fault !== undefined) return
        const chunk = shorten(received)
        if (chunk === undefined) {
          fault = 'notJson'
          return resolve()
        }
        seen += received.byteLength
        if (seen > maxUntrimmedBytes || bytes + chunk.byteLength > maxBytes) fault = 'tooLarge'
        else if (!reservation.add(chunk.byteLength)) fault = 'busy'
        else {
          bytes += chunk.byteLength
          chunks.push(chunk)
        }
        if (fault !== undefined) resolve()
      })
      source.once('end', resolve)
      source.once('error', reject)
      source.once('close', reject)
    })
    isComplete = fault === undefined
    return fault === undefined ? Buffer.concat(chunks).toString('utf8') : { fault }
  } finally {
    if (!isComplete) reservation.add(-bytes)
  }
}

/**
 * Returns undefined for a chunk that cannot be shortened: the response is not the expected JSON.
 */
const createShortener = (trimmer: ((chunk: Buffer) => Buffer) | undefined) => (chunk: Buffer) => {
  try {
    return trimmer ? trimmer(chunk) : chunk
  } catch {
    return undefined
  }
}
