import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { FrameChain } from './chains.ts'

/** Asks a chain through our own server. Throws RPC_FAILED with the node's reason, OFFLINE, TIMEOUT, ANSWER_INVALID. */
export type ReadChain = (
  chain: FrameChain,
  method: string,
  params: unknown,
  signal?: AbortSignal,
) => Promise<unknown>

type Call = {
  readonly method: string
  readonly params: unknown
  done(result: unknown): void
  fail(error: unknown): void
}

const answer = z.object({
  id: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
})
const answers = z.union([answer, z.array(answer)])
type Answer = z.infer<typeof answer>

const timeoutMs = 30_000
const maxBytes = 4_194_304
/** Our server takes more. */
const maxBatch = 50

/** Calls of one moment travel together: a browser has few connections to a server. */
export function createReadChain(fetch: typeof globalThis.fetch): ReadChain {
  const waiting = new Map<string, Call[]>()
  const add = (path: string, call: Call) => {
    const known = waiting.get(path)
    if (known && known.length < maxBatch) return known.push(call)
    const calls = [call]
    waiting.set(path, calls)
    queueMicrotask(() => {
      if (waiting.get(path) === calls) waiting.delete(path)
      void send(fetch, path, calls)
    })
  }
  return (chain, method, params, signal) =>
    new Promise((done, fail) => {
      const abort = () => fail(new LatchkeyError('ABORTED', { cause: signal?.reason }))
      if (signal?.aborted) return abort()
      if (signal) AbortSignal.any([signal]).addEventListener('abort', abort)
      const call = { method, params: params ?? [], done, fail }
      // Bundlers take one call at a time.
      if (isOfBundler(method)) void send(fetch, `/rpc/${chain.id}/bundler`, [call])
      else add(`/rpc/${chain.id}`, call)
    })
}

/** Methods of ERC-7769 and ERC-7677, which the network's bundler answers. */
const isOfBundler = (method: string) => /UserOperation|SupportedEntryPoints|^pm_/i.test(method)

async function send(fetch: typeof globalThis.fetch, path: string, calls: readonly Call[]) {
  try {
    const found = await post(fetch, path, calls)
    for (const [index, { done, fail }] of calls.entries()) {
      const one = Array.isArray(found) ? found.find(({ id }) => id === index + 1) : found
      try {
        done(readResult(one))
      } catch (error) {
        fail(error)
      }
    }
  } catch (error) {
    for (const { fail } of calls) fail(error)
  }
}

async function post(
  fetch: typeof globalThis.fetch,
  path: string,
  calls: readonly Call[],
): Promise<Answer | Answer[]> {
  const list = calls.map(({ method, params }, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method,
    params,
  }))
  let text: string
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list.length === 1 ? list[0] : list),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await response.text()
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    throw new LatchkeyError(isLate ? 'TIMEOUT' : 'OFFLINE', { cause })
  }
  if (text.length > maxBytes) throw new LatchkeyError('ANSWER_INVALID')
  try {
    const found = z.parse(answers, JSON.parse(text))
    // An answer to several calls that is none of them says why it answers none.
    if (Array.isArray(found) || found.error || calls.length === 1) return found
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
  throw new LatchkeyError('ANSWER_INVALID')
}

function readResult({ result, error }: Answer = {}): unknown {
  if (error) {
    // The node's number reaches the page, whose libraries know what it means.
    const data = { reason: error.message.slice(0, 300), code: error.code }
    throw new LatchkeyError('RPC_FAILED', { data })
  }
  if (result === undefined) throw new LatchkeyError('ANSWER_INVALID')
  return result
}
