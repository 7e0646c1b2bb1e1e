import { LatchkeyError } from '../errors/errors.ts'
import {
  defaultLimits,
  type Handlers,
  type Limits,
  type LocalWindow,
  type RemoteWindow,
  type ServedChannel,
} from './channel.ts'
import { greet, onGreeting, type Port } from './channelPort.ts'
import { assertOrigin, type Protocol } from './channelProtocol.ts'
import { serveChannel } from './serveChannel.ts'

/**
 * Serves one channel to the window that embeds or opened this one. `peerOrigin` is that window's
 * claimed origin (for example from the URL). Nothing is sent to another origin, and a first message
 * counts only once, from exactly `peer` at exactly that origin. `onConnect` gets the verified
 * origin and returns the handlers. Returns a function that stops listening and closes the channel.
 */
export function listenChannel<P extends Protocol>(parameters: {
  window: LocalWindow
  peer: RemoteWindow
  peerOrigin: string
  allowedOrigin: (origin: string) => boolean
  protocol: P
  onConnect: (channel: ServedChannel<P>) => Handlers<P>
  limits?: Limits
}): () => void {
  const { window: here, peer, peerOrigin, allowedOrigin, protocol, onConnect } = parameters
  const { limits = defaultLimits } = parameters
  assertOrigin(peerOrigin)
  if (!allowedOrigin(peerOrigin)) throw new LatchkeyError('ORIGIN_NOT_ALLOWED')
  let port: Port | undefined
  let isTaken = false
  const unlisten = onGreeting({ here, there: peer, origin: peerOrigin }, (word, ports) => {
    const [transferred] = ports
    if (word.latchkey !== 'hello' || isTaken || !transferred || ports.length !== 1) return
    isTaken = true
    const { id } = word
    port = serveChannel({
      port: transferred,
      here,
      origin: peerOrigin,
      protocol,
      onConnect,
      limits,
      id,
    })
  })
  greet(peer, peerOrigin, { latchkey: 'ready' })
  return () => {
    unlisten()
    port?.close()
  }
}
