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

const answer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
})
const timeoutMs = 30_000
const maxBytes = 4_194_304

export const createReadChain =
  (fetch: typeof globalThis.fetch): ReadChain =>
  async (chain, method, params, signal) => {
    const timer = AbortSignal.timeout(timeoutMs)
    let text: string
    try {
      const response = await fetch(`/rpc/${chain.id}${isOfBundler(method) ? '/bundler' : ''}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
        credentials: 'omit',
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timer]) : timer,
      })
      text = await response.text()
    } catch (cause) {
      const name = cause instanceof Error ? cause.name : ''
      if (name === 'TimeoutError') throw new LatchkeyError('TIMEOUT', { cause })
      throw new LatchkeyError(name === 'AbortError' ? 'ABORTED' : 'OFFLINE', { cause })
    }
    const { result, error } = readText(text)
    if (error) {
      // The node's number reaches the page, whose libraries know what it means.
      const data = { reason: error.message.slice(0, 300), code: error.code }
      throw new LatchkeyError('RPC_FAILED', { data })
    }
    if (result === undefined) throw new LatchkeyError('ANSWER_INVALID')
    return result
  }

/** Methods of ERC-7769 and ERC-7677, which the network's bundler answers. */
const isOfBundler = (method: string) => /UserOperation|SupportedEntryPoints|^pm_/i.test(method)

function readText(text: string): z.infer<typeof answer> {
  if (text.length > maxBytes) throw new LatchkeyError('ANSWER_INVALID')
  try {
    return z.parse(answer, JSON.parse(text))
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
}
