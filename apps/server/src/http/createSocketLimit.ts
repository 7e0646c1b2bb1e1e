import type { IncomingMessage } from 'node:http'
import { type Awaitable, whenReady } from '../awaitable.ts'
import type { Kv, SlotKey } from '../kv/kv.ts'
import type { Services } from '../services.ts'
import { createFairRoom } from '../shares/createFairRoom.ts'
import { clientAddress, getOrigin } from './clientAddress.ts'
import type { Failure } from './failure.ts'

/** Counts open sockets of one kind on all processes, in total and by client address. */
export function createSocketLimit(
  kind: string,
  { kv, config: { trustedProxies, sockets } }: Pick<Services, 'kv' | 'config'>,
) {
  const places = createSocketPlaces(kv)
  return {
    /**
     * Counts the socket until its connection ends, or returns a failure if this client may not open
     * another one.
     */
    admit(request: IncomingMessage): Awaitable<Failure | undefined> {
      const client = clientAddress(getOrigin(request), trustedProxies)
      const total = { key: kind, most: sockets.total }
      const ofClient = { key: `${kind}:${client}`, most: sockets.perClient }
      return whenReady(places.enter(request, { client, total, shares: [ofClient] }), (full) => {
        if (full === undefined) return undefined
        return tooMany(`Too many sockets are open${full === kind ? '' : ' from your address'}`)
      })
    },
  }
}

type Socket = {
  /** The address of the client. */
  readonly client: string
  readonly total: SlotKey
  readonly shares: readonly SlotKey[]
}

/**
 * Counts open sockets, in total and by client address. If the total is reached, the oldest socket
 * of the client with the most sockets on this process is closed for a client that has fewer.
 */
export function createSocketPlaces(kv: Pick<Kv, 'enter' | 'leave'>) {
  const room = createFairRoom({ total: Infinity, perClient: Infinity })

  function take(request: IncomingMessage, { client, total, shares }: Socket): void {
    let isLeft = false
    const leave = () => {
      if (isLeft) return
      isLeft = true
      place.leave()
      kv.leave([total, ...shares].map(({ key }) => key))
    }
    const place = room.enter(client, () => {
      leave()
      request.socket.destroy()
    })
    whenClosed(request, leave)
  }
  return {
    /**
     * Counts the socket until its connection ends. Returns the key of the limit that is reached, if
     * any.
     */
    enter(request: IncomingMessage, socket: Socket): Awaitable<string | undefined> {
      const places = [socket.total, ...socket.shares]
      const entered = whenReady(kv.enter(places), (full) => {
        const isDisplaced =
          full === socket.total.key && room.displace(room.weight(socket.client) + 1)
        return isDisplaced ? kv.enter(places) : full
      })
      return whenReady(entered, (full) => {
        if (full === undefined) take(request, socket)
        return full
      })
    },
  }
}

/**
 * Calls `done` once, when the connection of an upgrade has ended, even if it never became a socket.
 */
function whenClosed({ socket }: IncomingMessage, done: () => void): void {
  if (socket.destroyed) done()
  else socket.once('close', done)
}

const tooMany = (description: string): Failure => ({
  status: 429,
  field: 'rate_limited',
  description,
  retryAfterSeconds: 10,
})
