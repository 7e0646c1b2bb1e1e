import { createServer, type RequestListener, type Server } from 'node:http'
import type { Config } from '../../config.ts'
import { createFairRoom, type FairShare } from '../../shares/createFairRoom.ts'
import { clientAddress } from '../clientAddress.ts'
import { onResponseEnd } from '../onResponseEnd.ts'
import { createReceiver } from './receiveBody.ts'

/** How long a client may take to send a request, and how often that is checked. */
const sendingTimes = { requestMs: 30_000, checkEveryMs: 1_000 }
/** How long a connection may be idle before it ends: longer than any response takes. */
const stillMs = 60_000

/**
 * Creates an HTTP server whose `listener` gets requests with their whole bodies (of at most
 * `bodyMaxBytes`; of a longer body it gets a part that is too long). Clients that send slowly, or
 * hold connections without using them, cost no more than their connection, and give way to others.
 * A connection stays open for `keepAliveMs` while it is not used.
 */
export function openListener(
  config: Pick<Config, 'trustedProxies' | 'connections' | 'keepAliveMs'>,
  {
    bodyMaxBytes,
    listener,
    times = sendingTimes,
  }: {
    readonly bodyMaxBytes: number
    readonly listener: RequestListener
    /** Shorter in tests. */
    readonly times?: typeof sendingTimes
  },
): Server {
  const isDirect = config.trustedProxies === 0
  // Node counts the time for a request from the moment a connection opens: a proxy may open one
  // long before it uses it.
  const unusedMs = config.keepAliveMs + 1_000
  const receive = createReceiver({ bodyMaxBytes, trustedProxies: config.trustedProxies })
  const server = createServer(
    {
      headersTimeout: unusedMs,
      requestTimeout: Math.max(times.requestMs, unusedMs),
      connectionsCheckingInterval: times.checkEveryMs,
      keepAliveTimeout: config.keepAliveMs,
    },
    (request, response) => receive(request, () => listener(request, response)),
  )
  server.timeout = Math.max(stillMs, unusedMs)
  limitConnections(server, {
    total: config.connections.total,
    // All connections come from the proxies, which have their own limits.
    perClient: isDirect ? config.connections.perClient : config.connections.total,
  })
  return server
}

/**
 * Closes the connection that has been idle longest if there are too many. Upgraded connections do
 * not count.
 */
function limitConnections(
  server: Server,
  limits: { readonly total: number; readonly perClient: number },
): void {
  const room = createFairRoom(limits)
  const places = new WeakMap<object, FairShare>()
  server.on('connection', (socket) => {
    const from = { socketAddress: socket.remoteAddress, forwardedFor: undefined }
    const place = room.enter(clientAddress(from, 0), () => socket.destroy())
    socket.once('close', place.leave)
    places.set(socket, place)
  })
  server.on('request', ({ socket }, response) => {
    const place = places.get(socket)
    place?.renew()
    onResponseEnd(response, () => place?.renew())
  })
  server.on('upgrade', ({ socket }) => places.get(socket)?.leave())
}
