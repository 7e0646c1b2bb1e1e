import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { clientAddress, getOrigin } from '../http/clientAddress.ts'
import type { MemoryReservation } from '../http/createResponseMemory.ts'
import { createSocketPlaces } from '../http/createSocketLimit.ts'
import type { Failure } from '../http/failure.ts'
import { readSocketProjectId } from '../http/request/projectId.ts'
import type { Services, SocketRoute } from '../services.ts'
import { verifyRelayAuth } from './protocol/relayAuth.ts'
import type { Quota } from './quota/quota.ts'
import type { QuotaBook } from './quota/quotaBook.ts'
import type { Connection, Relay } from './relay.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { createTurn, createWriter } from './writer.ts'

/** How much unfinished input one socket may have before reading from it is paused. */
const maxWaiting = { frames: 256, bytes: 4 * 1024 * 1024 }

type Parameters = Pick<Services, 'config' | 'clock' | 'responseMemory' | 'kv'> & {
  readonly relay: Relay
  readonly quotas: QuotaBook
  readonly audiences: readonly string[]
  readonly metrics: RelayMetrics
}

/** `reservation` accounts for the bytes that are on their way to the client. */
type UpgradedSocket = {
  readonly socket: WebSocket
  readonly stream: Socket
  readonly reservation: MemoryReservation
}

/** A socket of a verified client. */
type OpenSocket = { readonly socket: WebSocket; readonly connection: Connection; spokeAtMs: number }

/** The relay's handling of a server's sockets. */
export type RelaySockets = {
  readonly route: SocketRoute
  /**
   * Call about once a second: closes sockets without subscriptions and without traffic with 4008.
   */
  sweep(): void
  /** Stops accepting frames. Resolves when all received frames have been handled. */
  drain(): Promise<void>
  count(): number
}

/**
 * Connects sockets to a relay: verifies clients, counts their usage, and passes frames in both
 * directions.
 */
export function relayUpgrade(parameters: Parameters): RelaySockets {
  const { clock, config, metrics, quotas } = parameters
  const limits = config.relay
  const places = createSocketPlaces(parameters.kv)
  const openSockets = new Set<OpenSocket>()
  const afterTurn = createTurn()
  let draining = false

  async function admit(url: URL, request: IncomingMessage) {
    const auth = verifyRelayAuth(getToken(url, request), {
      audiences: parameters.audiences,
      nowSeconds: clock() / 1000,
    })
    if ('reason' in auth) return refused(auth.reason)
    const address = clientAddress(getOrigin(request), config.trustedProxies)
    const project = readSocketProjectId(url, request) ?? ''
    const total = { key: 'relay', most: limits.sockets }
    const shares = [
      { key: `relay:client:${auth.clientId}`, most: limits.client.sockets },
      { key: `relay:address:${address}`, most: limits.address.sockets },
      { key: `relay:project:${project}`, most: limits.project.sockets },
    ]
    const reservation = parameters.responseMemory.open(address, 0)
    const socketPlaces = { client: address, total, shares }
    if (reservation === undefined || (await places.enter(request, socketPlaces)) !== undefined) {
      metrics.refuse('too_many_sockets')
      return tooMany
    }
    const clientQuotas = quotas.get({ client: auth.clientId, address, project })
    return (socket: WebSocket) =>
      open({ socket, stream: request.socket, reservation }, auth.clientId, clientQuotas)
  }

  function open(
    { socket, stream, reservation }: UpgradedSocket,
    clientId: string,
    clientQuotas: readonly Quota[],
  ) {
    quotas.enter(clientId, clientQuotas)
    parameters.responseMemory.follow(stream, reservation)
    const writer = createWriter(
      { socket, stream },
      {
        backlogBytes: limits.backlogBytes,
        reservation,
        afterTurn,
        onOverflow: () => metrics.refuse('backlog'),
      },
    )
    const connection = parameters.relay.connect({
      clientId,
      quotas: clientQuotas,
      send: writer.send,
      drained: writer.drained,
      close(code, reason) {
        if (code === 1013) metrics.refuse('too_many_frames')
        writer.close(code, reason)
      },
    })
    const self: OpenSocket = { socket, connection, spokeAtMs: clock() }
    openSockets.add(self)
    const waiting = { frames: 0, bytes: 0 }
    const isBehind = () => waiting.frames >= maxWaiting.frames || waiting.bytes >= maxWaiting.bytes
    socket.on('message', (data, isBinary) => {
      if (draining || socket.readyState !== socket.OPEN) return
      self.spokeAtMs = clock()
      // The protocol is text. A binary frame is answered like an empty one.
      const text = isBinary ? '' : String(data)
      const { length } = data as Buffer
      const handling = connection.receive(text, length)
      if (handling === undefined) return
      const held = parameters.responseMemory.open(reservation.client, length)
      if (held === undefined) {
        metrics.refuse('backlog')
        return writer.close(1013, 'Too many of your messages are waiting')
      }
      waiting.frames++
      waiting.bytes += length
      if (isBehind()) socket.pause()
      handling.then(() => {
        held.release()
        waiting.frames--
        waiting.bytes -= length
        if (socket.isPaused && !isBehind()) socket.resume()
      })
    })
    socket.once('close', () => {
      openSockets.delete(self)
      connection.closed()
      writer.closed()
      quotas.leave(clientQuotas)
    })
  }

  return {
    route: { messageMaxBytes: 2 * limits.frameMaxBytes, admit, farewell: createFarewell(metrics) },
    sweep() {
      quotas.sweep()
      for (const { socket, connection, spokeAtMs } of openSockets) {
        if (connection.subscriptions() > 0 || clock() - spokeAtMs < limits.idleMs) continue
        metrics.refuse('idle')
        socket.close(4008, 'Idle without a subscription')
      }
    },
    async drain() {
      draining = true
      await Promise.all([...openSockets].map(({ connection }) => connection.settled()))
    },
    count: () => openSockets.size,
  }
}

// Browsers cannot send headers with an upgrade, other clients can.
function getToken(url: URL, request: IncomingMessage): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return url.searchParams.get('auth') || bearer
}

const refused = (description: string): Failure => ({ status: 401, field: 'auth', description })

const tooMany: Failure = {
  status: 429,
  field: 'rate_limited',
  description: 'Too many sockets are open',
  retryAfterSeconds: 5,
}

/** Clients compare these reasons. A missing project counts like an unknown one. */
const createFarewell = (metrics: RelayMetrics) => (url: URL, failure: Failure) => {
  const { status, field, description } = failure
  if (status === 429) return undefined
  const isToken = field === 'auth'
  const isOrigin = status === 403
  metrics.refuse(isToken ? 'token' : isOrigin ? 'origin' : 'project')
  if (url.searchParams.get('useOnCloseEvent') !== 'true') return undefined
  if (isToken) return [3000, description] as const
  return [
    3000,
    isOrigin ? 'Unauthorized: origin not allowed' : 'Unauthorized: invalid key',
  ] as const
}
