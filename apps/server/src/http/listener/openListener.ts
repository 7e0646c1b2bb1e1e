import { createServer, type RequestListener, type Server } from 'node:http'
import type { Config } from '../../config.ts'
import { createFairRoom, type Place } from '../../shares/createFairRoom.ts'
import { clientAddress } from '../clientAddress.ts'
import { onResponseEnd } from '../onResponseEnd.ts'
import { createReceiver } from './receiveBody.ts'

/** How long a client may take to send the headers, and the whole request. */
const sendingTimes = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 1_000 }
/** A connection on which nothing moves for this time ends. It is longer than any answer is waited for. */
const stillMs = 60_000
/** Proxies keep connections for a minute, and must be the side that closes them: a request could be under way. */
const keepAliveMs = { ofClients: 5_000, ofProxies: 65_000 }

/**
 * Creates an HTTP server whose `listener` gets requests with their whole bodies (of at most `bodyMaxBytes`; of a longer body
 * it gets a part that is too long). Clients that send slowly, or hold connections without using them, cost no more than
 * their connection, and give way to others.
 */
export function openListener(
  config: Pick<Config, 'trustedProxies' | 'connections'>,
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
  const receive = createReceiver({ bodyMaxBytes, trustedProxies: config.trustedProxies })
  const server = createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: times.checkEveryMs,
      keepAliveTimeout: isDirect ? keepAliveMs.ofClients : keepAliveMs.ofProxies,
    },
    (request, response) => receive(request, () => listener(request, response)),
  )
  server.timeout = stillMs
  limitConnections(server, {
    total: config.connections.total,
    // All connections come from the proxies, which have limits of their own.
    perClient: isDirect ? config.connections.perClient : config.connections.total,
  })
  return server
}

/** Closes the connection that has been quiet longest if there are too many. Upgraded connections do not count. */
function limitConnections(
  server: Server,
  limits: { readonly total: number; readonly perClient: number },
): void {
  const room = createFairRoom(limits)
  const places = new WeakMap<object, Place>()
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
