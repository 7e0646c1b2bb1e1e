import type { Lease } from '../http/createAnswerMemory.ts'

/** Why an upstream's answer cannot be used. */
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

/** An HTTP request to a node, and how its answer is read. */
export type NodeRequest<Answer extends object> = {
  readonly method: 'GET' | 'POST'
  /** What follows the node's URL. */
  readonly path: string
  readonly body?: string
  readonly contentType: string
  /** Statuses that are answers, besides 200 to 299. */
  readonly statuses: readonly number[]
  read(text: string, status: number): Answer | UpstreamFault
  /** Whether another node may know more. If none does, the answer counts. */
  isDoubtful(answer: Answer): boolean
}

type Limits = {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Holds what is read; given back where it comes to nothing. */
  readonly lease: Lease
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a request to one upstream: no redirect is followed, `timeoutMs` is for all of it, at most `maxBytes` are held; `busy`
 * where there is no room for them.
 */
export async function requestUpstream<Answer extends object>(
  url: string,
  request: NodeRequest<Answer>,
  limits: Limits,
): Promise<Answer | UpstreamFault> {
  const late = AbortSignal.timeout(limits.timeoutMs)
  const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late
  const { method, path, body, contentType } = request
  try {
    const response = await fetch(joinPath(url, path), {
      method,
      headers: {
        accept: 'application/json, text/plain;q=0.9',
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
    })
    const fault = getFault(response, request.statuses, limits.maxBytes)
    if (fault === undefined) {
      const text = await readBody(response, limits)
      return typeof text === 'string' ? request.read(text, response.status) : text.fault
    }
    await response.body?.cancel()
    return fault
  } catch {
    return late.aborted ? 'timeout' : 'connection'
  }
}

// An operator's URL may end with a slash, or carry a key in its query.
function joinPath(url: string, path: string): string {
  if (path === '') return url
  const target = new URL(url)
  target.pathname = target.pathname.replace(/\/+$/, '') + path
  return target.href
}

function getFault(
  response: Response,
  statuses: readonly number[],
  maxBytes: number,
): UpstreamFault | undefined {
  if (response.status >= 300 && response.status < 400) return 'redirect'
  if (response.status === 429) return 'quota'
  if (!response.ok && !statuses.includes(response.status)) return 'status'
  return Number(response.headers.get('content-length') ?? 0) > maxBytes ? 'tooLarge' : undefined
}

async function readBody(
  response: Response,
  { maxBytes, lease }: Limits,
): Promise<string | { readonly fault: UpstreamFault }> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  let complete = false
  try {
    // Leaving the loop cancels the stream, which closes the connection.
    for await (const chunk of response.body ?? []) {
      if (bytes + chunk.byteLength > maxBytes) return { fault: 'tooLarge' }
      if (!lease.add(chunk.byteLength)) return { fault: 'busy' }
      bytes += chunk.byteLength
      chunks.push(chunk)
    }
    complete = true
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    if (!complete) lease.add(-bytes)
  }
}
