import { type ActivityEvent, activityEvent, activityEventsPath, type ChainId } from '@latchkey/wire'
import { apiUrlOf } from '../api.ts'
import type { App } from '../createApp.ts'
import { parse } from '../parse.ts'

/** The wait before the first new try, in ms; twice as long with each one that fails, up to the longest. */
const firstWaitMs = 1_000
const longestWaitMs = 30_000
/** Tries in a row that never opened until the server is taken to have no such socket. */
const vainTries = 5

type Parameters = {
  watched: { address: string; chainId: ChainId }
  signal: AbortSignal
  onOpen: (isOpen: boolean) => void
  onEvent: (event: ActivityEvent) => void
}

/** Holds the socket of an account's activity open until `signal` aborts, or the server shows that it has none. */
export async function holdEvents(app: App, parameters: Parameters): Promise<void> {
  const { signal } = parameters
  if (!app.environment.webSocket) return
  for (let vain = 0, waitMs = firstWaitMs; vain < vainTries && !signal.aborted; ) {
    const hasOpened = await listen(app, parameters)
    vain = hasOpened ? 0 : vain + 1
    waitMs = hasOpened ? firstWaitMs : Math.min(waitMs * 2, longestWaitMs)
    await app.environment.sleep(waitMs, signal)
  }
}

/** One socket from its dialling to its end; resolves to whether it ever stood open. */
function listen(app: App, { watched, signal, onOpen, onEvent }: Parameters): Promise<boolean> {
  const { address, chainId } = watched
  const url = apiUrlOf(app, activityEventsPath, { address, chainId }).replace(/^http/, 'ws')
  const { webSocket: Socket } = app.environment
  return new Promise((resolve) => {
    if (!Socket || signal.aborted) return resolve(false)
    let hasOpened = false
    const socket = new Socket(url)
    const end = () => {
      signal.removeEventListener('abort', end)
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null
      // An error after this is nobody's; `ws` throws it where nobody listens.
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
      const event = parse(activityEvent, asJson(data))
      if (event?.chainId === chainId) onEvent(event)
    }
    socket.onclose = end
    socket.onerror = end
    signal.addEventListener('abort', end)
  })
}

function asJson(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}
