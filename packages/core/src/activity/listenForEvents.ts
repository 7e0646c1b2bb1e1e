import {
  type ActivityEvent,
  activityEvent,
  activityEventsPath,
  type ChainId,
  parseBoundedJson,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { getApiUrl } from '../server/getApiUrl.ts'
import { parse } from '../server/parse.ts'

/** The delay before the first retry. It doubles with each failure, up to the maximum. */
const initialWaitMs = 1_000
const maxWaitMs = 30_000
/** After a socket was open for this long, the waits start from the shortest again. */
const stableAfterMs = 30_000
/**
 * How many attempts fail before a server whose socket never opened counts as a server without a
 * socket.
 */
const maxFailedAttempts = 5

type Parameters = {
  watched: { address: string; chainId: ChainId }
  signal: AbortSignal
  onOpen: (isOpen: boolean) => void
  onEvent: (event: ActivityEvent) => void
}

/**
 * Keeps the socket of an account's activity open until `signal` aborts, or until the server shows
 * that it has no socket. Each wait is cut by up to a quarter at random, so that clients that lost
 * their connection together do not return together.
 */
export async function listenForEvents(app: App, parameters: Parameters): Promise<void> {
  const { signal } = parameters
  const { webSocket, now, sleep } = app.environment
  if (!webSocket) return
  let hasEverOpened = false
  let waitMs = initialWaitMs
  for (let tries = 1; !signal.aborted; tries++) {
    const beganAtMs = now()
    const hasOpened = await listen(app, parameters)
    hasEverOpened ||= hasOpened
    if (!hasEverOpened && tries === maxFailedAttempts) return
    if (hasOpened && now() - beganAtMs >= stableAfterMs) waitMs = initialWaitMs
    await sleep(waitMs * (0.75 + Math.random() / 4), signal)
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }
}

/** Opens a socket and waits until it closes; resolves to whether it was ever open. */
function listen(app: App, { watched, signal, onOpen, onEvent }: Parameters): Promise<boolean> {
  const { address, chainId } = watched
  const url = getApiUrl(app, activityEventsPath, { address, chainId }).replace(/^http/, 'ws')
  const { webSocket: Socket } = app.environment
  return new Promise((resolve) => {
    const socket = Socket && !signal.aborted && dial(Socket, url)
    if (!socket) return resolve(false)
    let hasOpened = false
    const end = () => {
      signal.removeEventListener('abort', end)
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null
      // Later errors do not matter, but `ws` throws them if there is no listener.
      socket.onerror = () => {}
      socket.close()
      if (hasOpened && !signal.aborted) onOpen(false)
      resolve(hasOpened)
    }
    socket.onopen = () => {
      hasOpened = true
      onOpen(true)
    }
    socket.onmessage = ({ data }) => {
      const event = parse(activityEvent, parseJson(data))
      if (event?.chainId === chainId) onEvent(event)
    }
    socket.onclose = end
    socket.onerror = end
    signal.addEventListener('abort', end)
  })
}

/** A secure page throws when it opens a socket to a server without TLS. */
function dial(Socket: typeof WebSocket, url: string): WebSocket | undefined {
  try {
    return new Socket(url)
  } catch {
    return undefined
  }
}

function parseJson(data: unknown): unknown {
  try {
    return parseBoundedJson(String(data))
  } catch {
    return undefined
  }
}
