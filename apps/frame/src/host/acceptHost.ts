import { type FrameProtocol, frameProtocol, type Handlers, listenChannel } from '@latchkey/wire'
import type { Embedding } from './findEmbedding.ts'
import type { HostConnection } from './hostConnection.ts'
import { listenToLegacyTransport } from './legacyTransport.ts'

/**
 * The maximum message length, the maximum number of open requests, and how many invalid messages
 * end the connection.
 */
const hostLimits = { maxLength: 1_048_576, maxPending: 64, maxInvalid: 20 } as const

/**
 * Waits for the host page and serves it, once: the first valid greeting from the parent window and
 * a listed origin wins, over our channel or in the plain envelope. Returns a function that stops.
 */
export function acceptHost(parameters: {
  window: Window
  embedding: Embedding
  onConnect: (connection: HostConnection) => Handlers<FrameProtocol>
}): () => void {
  const { window, embedding, onConnect } = parameters
  const { parent: peer, origins } = embedding
  const allowedOrigin = (origin: string) => origins.includes(origin)
  const stops: (() => void)[] = []
  const plain: (() => void)[] = []
  let isTaken = false
  const take = (connection: HostConnection) => {
    if (isTaken) throw new Error('taken')
    isTaken = true
    return onConnect(connection)
  }
  for (const peerOrigin of origins) {
    const common = { window, peer, peerOrigin }
    const stopPlain = listenToLegacyTransport({
      ...common,
      limits: hostLimits,
      isTaken: () => isTaken,
      take,
    })
    plain.push(stopPlain)
    stops.push(
      stopPlain,
      listenChannel({
        ...common,
        allowedOrigin,
        protocol: frameProtocol,
        limits: hostLimits,
        onConnect: (connection) => {
          const handlers = take(connection)
          for (const stop of plain) stop()
          return handlers
        },
      }),
    )
  }
  return () => {
    for (const stop of stops) stop()
  }
}
