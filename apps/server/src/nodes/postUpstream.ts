import type { Lease } from '../http/createAnswerMemory.ts'

/** Why an upstream's answer cannot be used. */
export type UpstreamFault =
  | 'connection'
  | 'timeout'
  | 'slow'
  | 'status'
  | 'redirect'
  | 'notJson'
  | 'tooLarge'
  | 'busy'
  | 'wrongChain'
  | 'quota'
  | 'nodeFault'

export type UpstreamResponse = { readonly text: string } | { readonly fault: UpstreamFault }

type Limits = {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Holds what is read; given back where it comes to nothing. */
  readonly lease: Lease
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined
}

/** Sends a JSON body to one upstream: no redirect followed, `timeoutMs` for all of it, at most `maxBytes` held; `busy` where there is no room for them. */
export async function postUpstream(
  url: string,
  body: string,
  limits: Limits,
): Promise<UpstreamResponse> {
  const late = AbortSignal.timeout(limits.timeoutMs)
  const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      redirect: 'manual',
      signal,
    })
    const fault = getFault(response, limits.maxBytes)
    if (fault === undefined) return await readBody(response, limits)
    await response.body?.cancel()
    return { fault }
  } catch {
    return { fault: late.aborted ? 'timeout' : 'connection' }
  }
}

// A node may say 400 with a JSON-RPC error in the body: that is an answer.
function getFault(response: Response, maxBytes: number): UpstreamFault | undefined {
  if (response.status >= 300 && response.status < 400) return 'redirect'
  if (response.status === 429) return 'quota'
  if (!response.ok && response.status !== 400) return 'status'
  return Number(response.headers.get('content-length') ?? 0) > maxBytes ? 'tooLarge' : undefined
}

async function readBody(
  response: Response,
  { maxBytes, lease }: Limits,
): Promise<UpstreamResponse> {
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
    return { text: Buffer.concat(chunks).toString('utf8') }
  } finally {
    if (!complete) lease.add(-bytes)
  }
}
