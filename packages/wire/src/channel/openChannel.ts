import { LatchkeyError } from '../errors/errors.ts'
import {
  type Channel,
  defaultLimits,
  defaultTimeoutMs,
  type Limits,
  type LocalWindow,
  type RemoteWindow,
} from './channel.ts'
import { greet, onGreeting, type Port } from './channelPort.ts'
import {
  assertOrigin,
  type EventData,
  type EventName,
  type Protocol,
  randomId,
} from './channelProtocol.ts'
import { createClientChannel } from './createClientChannel.ts'

const closedPollMs = 250

type Opening<P extends Protocol> = {
  window: LocalWindow
  target: RemoteWindow
  targetOrigin: string
  protocol: P
  onEvent?: <E extends EventName<P>>(name: E, data: EventData<P, E>) => void
  signal?: AbortSignal
  timeoutMs?: number
  limits?: Limits
}

/**
 * Requests a channel from another window. Call it in the task that creates the window
 * (`window.open`, an iframe put into the page), before that window can have loaded: it sends the
 * first message. Only messages of exactly `target` at exactly `targetOrigin` count. Throws TIMEOUT,
 * ABORTED, CHANNEL_CLOSED (the window went away) and INVALID_PARAMS (not an origin).
 */
export async function openChannel<P extends Protocol>(opening: Opening<P>): Promise<Channel<P>> {
  const { target, signal, timeoutMs = defaultTimeoutMs } = opening
  assertOrigin(opening.targetOrigin)
  if (signal?.aborted) throw new LatchkeyError('ABORTED')
  return new Promise((resolve, reject) => {
    const stop = (error: LatchkeyError) => {
      line.stop()
      clearTimeout(timer)
      clearInterval(poll)
      signal?.removeEventListener('abort', abort)
      reject(error)
    }
    const handleClosed = () => stop(new LatchkeyError('CHANNEL_CLOSED'))
    const abort = () => stop(new LatchkeyError('ABORTED'))
    const line = waitForReady(opening, handleClosed, (channel) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      resolve(channel)
    })
    const timer = setTimeout(() => stop(new LatchkeyError('TIMEOUT')), timeoutMs)
    const poll = setInterval(() => target.closed && handleClosed(), closedPollMs)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

function waitForReady<P extends Protocol>(
  { window: here, target, targetOrigin: origin, protocol, onEvent, limits }: Opening<P>,
  onGone: () => void,
  onWelcome: (channel: Channel<P>) => void,
) {
  let port: Port | undefined
  const unlisten = onGreeting({ here, there: target, origin }, (word) => {
    if (word.latchkey !== 'ready') return
    // A second time means that it has reloaded and lost its end of the channel.
    if (port) return onGone()
    const { port1, port2 } = new MessageChannel()
    const id = randomId()
    port = createClientChannel({
      port: port1,
      here,
      protocol,
      onEvent,
      onWelcome,
      limits: limits ?? defaultLimits,
      id,
      origin,
    })
    port.closed.addEventListener('abort', onGone, { once: true })
    greet(target, origin, { latchkey: 'hello', id }, [port2])
  })
  return {
    stop() {
      unlisten()
      port?.close()
    },
  }
}
