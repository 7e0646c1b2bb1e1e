import {
  anySignal,
  apiFailure,
  createNonceRoute,
  isError,
  isForeignAnswer,
  LatchkeyError,
  parseBoundedJson,
  unpackError,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import type { DeviceKey } from './deviceKey.ts'
import { signProof } from './signProof.ts'

export type DpopFetch = (request: {
  path: string
  body: unknown
  /** Access token. */
  token?: string | undefined
  signal?: AbortSignal | undefined
}) => Promise<unknown>

const timeoutMs = 30_000
const unreachedCodes = ['OFFLINE', 'TIMEOUT', 'HTTP_FAILED'] as const
const maxBytes = 1_048_576

/**
 * Sends calls to our own origin with a proof by the device key and the server's newest nonce, and
 * retries once if that nonce was too old. The key is read for each call, because the browser may
 * have been forgotten. Rejects with the server's error, OFFLINE, TIMEOUT, ABORTED or
 * ANSWER_INVALID.
 */
export function createDpopFetch(
  openKey: () => Promise<DeviceKey>,
  fetch: typeof globalThis.fetch,
): DpopFetch {
  let nonce: string | undefined
  const post = async (path: string, text: string, headers: object, signal?: AbortSignal) => {
    const timer = AbortSignal.timeout(timeoutMs)
    const response = await reach(fetch, path, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json', ...headers },
      signal: signal ? anySignal([signal, timer]) : timer,
    })
    nonce = response.headers.get('dpop-nonce') ?? nonce
    return readResponse(response)
  }
  return async ({ path, body, token, signal }) => {
    const text = JSON.stringify(body)
    const once = async () => {
      if (nonce === undefined) {
        const answer = z.safeParse(
          createNonceRoute.result,
          await post(createNonceRoute.path, '{}', {}, signal),
        )
        if (!answer.success) throw new LatchkeyError('ANSWER_INVALID')
        nonce = answer.data.nonce
      }
      const dpop = await signProof(await openKey(), { path, body: text, nonce, token })
      return post(path, text, { dpop, ...(token && { authorization: `DPoP ${token}` }) }, signal)
    }
    try {
      return await once()
    } catch (error) {
      if (!isError(error, 'PROOF_NONCE_NEEDED')) throw error
      return once()
    }
  }
}

async function reach(fetch: typeof globalThis.fetch, path: string, init: RequestInit) {
  try {
    return await fetch(path, { ...init, credentials: 'omit', cache: 'no-store', redirect: 'error' })
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    if (name === 'TimeoutError') throw new LatchkeyError('TIMEOUT', { cause })
    throw new LatchkeyError(name === 'AbortError' ? 'ABORTED' : 'OFFLINE', { cause })
  }
}

/**
 * Whether the server was not reached, or something between it and this browser answered in its
 * place: the call can be repeated, and nothing has ended.
 */
export const isUnreached = (error: unknown): boolean =>
  unreachedCodes.some((code) => isError(error, code))

/**
 * Parses the JSON of an answer. Throws the error in it, ANSWER_INVALID, OFFLINE if the network
 * answered in place of the server, and HTTP_FAILED for a refusal that is not the server's own.
 */
export async function readResponse(response: Response): Promise<unknown> {
  const isForeign = isForeignAnswer(response)
  if (isForeign && !response.ok) throw new LatchkeyError('OFFLINE')
  let value: unknown
  try {
    const text = await response.text()
    if (text.length > maxBytes) throw new LatchkeyError('ANSWER_INVALID')
    value = parseBoundedJson(text)
  } catch (cause) {
    if (isError(cause)) throw cause
    if (isForeign) throw new LatchkeyError('OFFLINE', { cause })
    throw response.ok
      ? new LatchkeyError('ANSWER_INVALID', { cause })
      : new LatchkeyError('HTTP_FAILED', { data: { status: response.status }, cause })
  }
  if (response.ok) return value
  const failure = z.safeParse(apiFailure, value)
  throw failure.success
    ? unpackError(failure.data)
    : new LatchkeyError('HTTP_FAILED', { data: { status: response.status } })
}
