import {
  anySignal,
  isError,
  isForeignAnswer,
  LatchkeyError,
  parseBoundedJson,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import type { FrameChain } from './chains.ts'

/**
 * Sends a JSON-RPC request through our own server. Throws RPC_FAILED with the node's reason,
 * OFFLINE, TIMEOUT, ANSWER_INVALID.
 */
export type ReadChain = (
  chain: FrameChain,
  method: string,
  params: unknown,
  signal?: AbortSignal,
) => Promise<unknown>

type PendingCall = {
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
type NodeResponse = z.infer<typeof answer>

const timeoutMs = 30_000
const maxBytes = 4_194_304
/** Kept below our server's limit. */
const maxBatch = 50

/**
 * Batches calls made at the same moment: a browser has few connections to a server. Calls to
 * different contracts are never in one batch, so that no contract can spoil the result of another.
 */
export function createReadChain(fetch: typeof globalThis.fetch): ReadChain {
  const waiting = new Map<string, PendingCall[]>()
  const add = (path: string, call: PendingCall) => {
    const key = `${path} ${getContract(call)}`
    const known = waiting.get(key)
    if (known && known.length < maxBatch) return known.push(call)
    const calls = [call]
    waiting.set(key, calls)
    queueMicrotask(() => {
      if (waiting.get(key) === calls) waiting.delete(key)
      void send(fetch, path, calls)
    })
  }
  return (chain, method, params, signal) =>
    new Promise((done, fail) => {
      const abort = () => fail(new LatchkeyError('ABORTED', { cause: signal?.reason }))
      if (signal?.aborted) return abort()
      if (signal) anySignal([signal]).addEventListener('abort', abort)
      const call = { method, params: params ?? [], done, fail }
      // Bundlers take one call at a time. An operation that is sent must not be sent again with
      // others.
      if (isOfBundler(method)) void send(fetch, `/rpc/${chain.id}/bundler`, [call])
      else if (/^eth_send/.test(method)) void send(fetch, `/rpc/${chain.id}`, [call])
      else add(`/rpc/${chain.id}`, call)
    })
}

/** Methods of ERC-7769 and ERC-7677, which the network's bundler answers. */
const isOfBundler = (method: string) => /UserOperation|SupportedEntryPoints|^pm_/i.test(method)

const contract = z.tuple([z.object({ to: z.string() })], z.unknown())

/** The contract that a call reads, in lower case; empty for other methods. */
function getContract({ method, params }: PendingCall): string {
  const { data } = method === 'eth_call' ? z.safeParse(contract, params) : {}
  return data?.[0].to.toLowerCase() ?? ''
}

async function send(fetch: typeof globalThis.fetch, path: string, calls: readonly PendingCall[]) {
  try {
    const found = await post(fetch, path, calls)
    for (const [index, call] of calls.entries()) {
      const one = Array.isArray(found) ? found.find(({ id }) => id === index + 1) : found
      // Not every node supports batches.
      if (calls.length > 1 && one?.id !== index + 1) {
        void send(fetch, path, [call])
        continue
      }
      try {
        call.done(readResult(one))
      } catch (error) {
        call.fail(error)
      }
    }
  } catch (error) {
    if (calls.length > 1 && isError(error, 'ANSWER_INVALID'))
      for (const call of calls) void send(fetch, path, [call])
    else for (const { fail } of calls) fail(error)
  }
}

async function post(
  fetch: typeof globalThis.fetch,
  path: string,
  calls: readonly PendingCall[],
): Promise<NodeResponse | NodeResponse[]> {
  const list = calls.map(({ method, params }, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method,
    params,
  }))
  let text: string
  let isForeign: boolean
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list.length === 1 ? list[0] : list),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    isForeign = isForeignAnswer(response)
    text = await response.text()
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    throw new LatchkeyError(isLate ? 'TIMEOUT' : 'OFFLINE', { cause })
  }
  if (text.length > maxBytes) throw new LatchkeyError('ANSWER_INVALID')
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (cause) {
    throw new LatchkeyError(isForeign ? 'OFFLINE' : 'ANSWER_INVALID', { cause })
  }
  const parsed = z.safeParse(answers, value)
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID', { cause: parsed.error })
  return parsed.data
}

function readResult({ result, error }: NodeResponse = {}): unknown {
  if (error) {
    // The node's number reaches the page, whose libraries know what it means.
    const data = { reason: error.message.slice(0, 300), code: error.code }
    throw new LatchkeyError('RPC_FAILED', { data })
  }
  if (result === undefined) throw new LatchkeyError('ANSWER_INVALID')
  return result
}
