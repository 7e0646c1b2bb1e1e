import { type Channel, defaultLimits, type LocalWindow } from './channel.ts'
import { greet, onGreeting, type Port } from './channelPort.ts'
import { assertOrigin, type Protocol, randomId } from './channelProtocol.ts'
import { createClientChannel } from './createClientChannel.ts'

/**
 * Opens a channel to each window of exactly `origin` that reports that it is ready. For windows
 * that another page opens for us, so that we have no reference to them. Only code of that origin
 * can get a channel. Returns a function that stops and closes all channels.
 */
export function meetWindows<P extends Protocol>(parameters: {
  window: LocalWindow
  origin: string
  protocol: P
  onMeet: (channel: Channel<P>) => void
}): () => void {
  const { window: here, origin, protocol, onMeet } = parameters
  assertOrigin(origin)
  const ports: Port[] = []
  const unlisten = onGreeting({ here, there: 'any', origin }, (word, _, there) => {
    if (word.latchkey !== 'ready') return
    const { port1, port2 } = new MessageChannel()
    const id = randomId()
    const limits = defaultLimits
    ports.push(
      createClientChannel({
        port: port1,
        here,
        protocol,
        onEvent: undefined,
        onWelcome: onMeet,
        limits,
        id,
        origin,
      }),
    )
    greet(there, origin, { latchkey: 'hello', id }, [port2])
  })
  return () => {
    unlisten()
    for (const port of ports) port.close()
  }
}
