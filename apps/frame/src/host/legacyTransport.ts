import {
  type FrameProtocol,
  findExcess,
  frameProtocol,
  type Handlers,
  isError,
  type Limits,
  omitNulls,
  parseBoundedJson,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import type { HostConnection } from './hostConnection.ts'

const envelope = z.object({
  type: z.string().check(z.regex(/^@w3m-app\/[A-Z_]{1,60}$/)),
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  payload: z.optional(z.unknown()),
})

type Name = keyof FrameProtocol['requests']

// Methods that clients of the plain envelope do not know are not available in it.
const unsupported: ReadonlySet<string> = new Set([
  ...['APP_OPEN', 'APP_CLOSE', 'APP_RESEND', 'APP_GET_TOKENS', 'APP_REMOVE_TOKEN'],
])
// Clients do not wait for answers to these methods, and their schemas do not include them.
const unanswered: ReadonlySet<string> = new Set(['APP_RPC_ABORT'])
// Answers whose schema has no payload.
const maxIds = 10_000

/**
 * Serves the plain envelope of existing clients: `@w3m-app/NAME` with an id, answered by
 * `@w3m-frame/NAME_SUCCESS` or `_ERROR` with the same id. The limits on origin, source, size,
 * pending and invalid messages are the channel's limits; each id counts once. Sends READY
 * immediately. Calls `take` with the first valid message; if it throws, another protocol has the
 * connection.
 */
export function listenToLegacyTransport(parameters: {
  window: Window
  peer: Window
  peerOrigin: string
  limits: Limits
  isTaken: () => boolean
  take: (connection: HostConnection) => Handlers<FrameProtocol>
}): () => void {
  const { window, peer, peerOrigin, limits, isTaken, take } = parameters
  const closing = new AbortController()
  const processedIds = new Set<string>()
  let handlers: Handlers<FrameProtocol> | undefined
  let pending = 0
  let invalid = 0

  const post = (message: object) => {
    if (!closing.signal.aborted) peer.postMessage(message, peerOrigin)
  }
  const emit: HostConnection['emit'] = (name, data) => {
    // The only other event that its clients know.
    const { token } = data as { token?: string | null }
    if (name === 'FRAME_SESSION_UPDATE' && token)
      post({ type: '@w3m-frame/SESSION_UPDATE', payload: { token } })
  }
  const count = () => {
    invalid += 1
    if (limits.maxInvalid !== undefined && invalid >= limits.maxInvalid) stop()
  }

  const answer = async ({ type, id, payload }: z.infer<typeof envelope>) => {
    const word = type.slice('@w3m-app/'.length)
    const name = `APP_${word}`
    const reply = (kind: 'SUCCESS' | 'ERROR', more?: object) =>
      unanswered.has(name) || post({ type: `@w3m-frame/${word}_${kind}`, ...more, id })
    const known = Object.hasOwn(frameProtocol.requests, name) && !unsupported.has(name)
    if (!known || pending >= limits.maxPending) {
      if (!known) count()
      return reply('ERROR', {
        payload: { message: known ? 'Too many requests' : 'Unknown request' },
      })
    }
    const { params, result } = frameProtocol.requests[name as Name]
    const parsed = z.safeParse(params as z.ZodMiniType, omitNulls(payload ?? {}, 1))
    if (!parsed.success) {
      count()
      return reply('ERROR', { payload: { message: 'The request is not valid' } })
    }
    pending += 1
    try {
      const handle = handlers?.[name as Name] as (
        value: unknown,
        context: { signal: AbortSignal },
      ) => unknown
      const value = await handle(parsed.data, { signal: closing.signal })
      const plain = plainResult(name, z.parse(result as z.ZodMiniType, value))
      reply('SUCCESS', plain === undefined ? {} : { payload: plain })
    } catch (error) {
      reply('ERROR', { payload: { message: isError(error) ? error.message : 'An error occurred' } })
    } finally {
      pending -= 1
    }
  }

  const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== peer || origin !== peerOrigin || closing.signal.aborted) return
    if (typeof data !== 'object' || data === null || (isTaken() && !handlers)) return
    const copy = copyAsJson(data, limits.maxLength)
    // Other messages of the page are not for us.
    if (typeof copy === 'object' && !String((copy as { type?: unknown }).type).startsWith('@w3m-'))
      return
    const parsed = z.safeParse(envelope, copy)
    if (!parsed.success || processedIds.has(parsed.data.id) || processedIds.size >= maxIds)
      return count()
    processedIds.add(parsed.data.id)
    handlers ??= take({ origin: peerOrigin, emit, closed: closing.signal, isPlain: true })
    void answer(parsed.data)
  }
  const stop = () => {
    window.removeEventListener('message', onMessage)
    closing.abort()
  }
  window.addEventListener('message', onMessage)
  post({ type: '@w3m-frame/READY', payload: { version: '4' } })
  return stop
}

// Copies own properties through JSON, so that no cycle, bigint, prototype or getter passes. What
// arrives is an object, so its bounds are checked first.
function copyAsJson(data: object, maxLength: number): unknown {
  if (findExcess(data, maxLength)) return undefined
  try {
    const text = JSON.stringify(data)
    return text.length <= maxLength ? parseBoundedJson(text) : undefined
  } catch {
    return undefined
  }
}

/** Keeps only what the clients' schemas accept: no payload or field that they do not know. */
function plainResult(name: string, value: unknown): unknown {
  if (name === 'APP_RPC_REQUEST') return value
  if (name === 'APP_CONNECT_EMAIL' || name === 'APP_UPDATE_EMAIL')
    return { action: (value as { action: string }).action }
  return Object.keys(value as object).length === 0 ? undefined : value
}
