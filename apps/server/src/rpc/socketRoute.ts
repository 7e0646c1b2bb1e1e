import type { IncomingMessage } from 'node:http'
import type { ChainId } from '@latchkey/wire'
import type { WebSocket } from 'ws'
import type { Awaitable } from '../awaitable.ts'
import { clientAddress, getOrigin } from '../http/clientAddress.ts'
import { commonBytes, type MemoryReservation } from '../http/createResponseMemory.ts'
import { createSender } from '../http/createSender.ts'
import { createSocketLimit } from '../http/createSocketLimit.ts'
import { busy, type Failure } from '../http/failure.ts'
import { findChain, unknownChain } from '../http/findChain.ts'
import { takeTurn } from '../http/limitRate.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services, SocketRoute } from '../services.ts'
import { answerRpc, errorText, maxBatch, type RpcChain } from './answerRpc.ts'
import { createFeed, type Feed } from './createFeed.ts'
import { getRpcProtocol } from './getRpcProtocol.ts'
import { parseCalls, type RpcBody } from './parseCalls.ts'
import { openSubscriptions, type Subscriptions } from './subscriptions.ts'
import { takeCalls } from './takeCalls.ts'

export type SocketLimits = {
  /** The most messages of one socket that are handled at the same time. */
  readonly inFlight: number
  /** A socket without subscriptions is closed after this time without a message. */
  readonly idleMs: number
  /** The most bytes that may wait for a slow reader. */
  readonly backlogBytes: number
}

const defaultLimits: SocketLimits = {
  inFlight: 50,
  idleMs: 10 * 60_000,
  backlogBytes: 16 * 1024 * 1024,
}

/** A message takes a turn of the rate limit for each of these bytes. */
const bytesPerTurn = 65_536
const smallBytes = 4_096
/**
 * A socket is closed after so many refused messages without an accepted one, or so many more
 * refused bytes than accepted ones.
 */
const maxRefused = 1_000
const maxRefusedBytes = 8 * 1024 * 1024
/**
 * The server stops reading from a socket while messages of this size together wait for their
 * responses.
 */
const pauseBytes = 4 * 1024 * 1024

/**
 * Chain RPC over WebSocket: the same path and methods as over HTTP, and the subscriptions of the
 * chain's protocol. Calls have a rate limit of the same size as HTTP requests. Messages are counted
 * before they are parsed.
 */
export function rpcUpgrade(
  services: Pick<Services, 'config' | 'kv' | 'log' | 'responseMemory'>,
  upstreams: Upstreams,
  limits: SocketLimits = defaultLimits,
): SocketRoute {
  const socketLimit = createSocketLimit('rpc', services)
  const feeds = new Map<ChainId, Feed>()
  for (const [id, { webSocketUrls }] of Object.entries(services.config.chains)) {
    const chainId = id as ChainId
    const feed = createFeed(chainId, () => webSocketUrls ?? upstreams.urls(chainId))
    if (getRpcProtocol(chainId) !== undefined) feeds.set(chainId, feed)
  }
  return {
    async admit(url, request) {
      const named = url.searchParams.get('chainId') ?? undefined
      const chain = findChain(services.config, named)
      if (chain === undefined) return unknownChain(named)
      const failure = await socketLimit.admit(request)
      if (failure) return failure
      const source = { route: 'ws message', from: getOrigin(request) }
      const client = clientAddress(source.from, services.config.trustedProxies)
      return (socket) =>
        serveSocket(socket, {
          chain,
          client,
          log: services.log,
          responseMemory: services.responseMemory,
          upstreams,
          feed: feeds.get(chain.chainId),
          limits,
          request,
          takeTurn: (bytes) =>
            takeTurn(services, source.route, source.from, Math.ceil(bytes / bytesPerTurn)),
          takeCalls: (body) => takeCalls(services, { ...source, body }),
        })
    },
  }
}

type Options = Pick<Services, 'log' | 'responseMemory'> & {
  readonly chain: RpcChain
  /** The client's address. */
  readonly client: string
  readonly upstreams: Upstreams
  readonly feed: Feed | undefined
  readonly limits: SocketLimits
  readonly request: IncomingMessage
  /** Resolves to a failure if a message of this size exceeds the rate limit. */
  readonly takeTurn: (bytes: number) => Awaitable<Failure | undefined>
  /** Resolves to a failure if the further calls of a batch exceed it. */
  readonly takeCalls: (body: RpcBody | undefined) => Promise<Failure | undefined>
}

function serveSocket(
  socket: WebSocket,
  { chain, client, log, responseMemory, upstreams, feed, limits, request, ...turns }: Options,
): void {
  let inFlight = 0
  let refused = 0
  let refusedBytes = 0
  let waitingBytes = 0
  const reservation = responseMemory.open(client, 0)
  if (reservation === undefined) {
    socket.close(1013, busy.description)
    return
  }
  const send = createSender(socket, { ...limits, reservation, responseMemory, request })
  const protocol = getRpcProtocol(chain.chainId)?.subscriptions
  const subscriptions = openSubscriptions(feed && protocol && { feed, protocol }, {
    client,
    notify: send,
    // Notifications were missed. Only a new connection makes that visible to the client.
    onLost: () => socket.close(1012, 'The chain connection was lost. Connect again'),
  })
  const idle = setTimeout(() => {
    if (subscriptions.count() === 0) socket.close(1000, 'No message for a long time')
    else idle.refresh()
  }, limits.idleMs)
  socket.on('message', async (data, isBinary) => {
    // Messages of a socket that is being closed are dropped.
    if (socket.readyState !== socket.OPEN) return
    idle.refresh()
    const text = data as Buffer
    const refuse = (message: string) => {
      refused++
      refusedBytes += text.length
      if (refused > maxRefused || refusedBytes > maxRefusedBytes) {
        socket.close(1008, 'Too many requests were refused')
        // The rest of what the client sends is not read.
        return socket.pause()
      }
      // Only the id of a small message is worth the time to parse it.
      const body = text.length <= smallBytes ? parseCalls(String(text)) : undefined
      send(refusedText(body, -32005, message))
    }
    if (inFlight >= limits.inFlight) return refuse(tooManyOpen)
    inFlight++
    waitingBytes += text.length
    if (waitingBytes >= pauseBytes) socket.pause()
    const held = responseMemory.open(client, commonBytes + text.length)
    try {
      const limited = await turns.takeTurn(text.length)
      if (limited !== undefined) return refuse(limited.description)
      if (isBinary) return send(errorText('null', 'PARSE_ERROR'))
      const body = parseCalls(String(text))
      const limitedCalls = await turns.takeCalls(body)
      if (limitedCalls !== undefined) return refuse(limitedCalls.description)
      refused = 0
      refusedBytes = Math.max(0, refusedBytes - text.length)
      if (held === undefined) return send(refusedText(body, -32002, busy.description))
      const answer = await answerMessage(body, {
        ...{ chain, client, upstreams, subscriptions },
        reservation: held,
      })
      // From here on the socket's own reservation accounts for the response.
      held.release()
      send(answer)
    } catch (error) {
      log.error({ err: error }, 'socket message failed')
      socket.close(1011)
    } finally {
      held?.release()
      inFlight--
      waitingBytes -= text.length
      if (waitingBytes < pauseBytes && socket.readyState === socket.OPEN) socket.resume()
    }
  })
  socket.on('close', () => {
    clearTimeout(idle)
    subscriptions.close()
  })
}

type Message = Pick<Options, 'chain' | 'client' | 'upstreams'> & {
  /**
   * It lasts until the response is sent. From then on the socket's own reservation accounts for it.
   */
  readonly reservation: MemoryReservation
  readonly subscriptions: Subscriptions
}

async function answerMessage(
  body: RpcBody | undefined,
  { chain, client, reservation, upstreams, subscriptions }: Message,
): Promise<string> {
  const call = body?.batch === false ? body.calls[0] : undefined
  const answered = call?.method === undefined ? undefined : subscriptions.request(call)
  if (answered !== undefined) return answered
  const answer = await answerRpc(upstreams, chain, body, { client, reservation })
  if ('body' in answer) return answer.body
  return refusedText(body, -32002, answer.failure.description)
}

const tooManyOpen = 'Too many requests are open on this socket'

/** On a socket, JSON-RPC errors take the place of 429 and 503: one error per call. */
function refusedText(body: RpcBody | undefined, code: number, message: string): string {
  const error = JSON.stringify({ code, message })
  const ids = body?.calls.slice(0, maxBatch).map(({ id }) => id) ?? []
  const answers = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`)
  if (body?.batch && answers.length > 0) return `[${answers.join(',')}]`
  return answers[0] ?? `{"jsonrpc":"2.0","id":null,"error":${error}}`
}
