import type { ChainId } from '@latchkey/wire'
import type { WebSocket } from 'ws'
import { clientAddress, getOrigin } from '../http/clientAddress.ts'
import { createSender } from '../http/createSender.ts'
import { createSocketLimit } from '../http/createSocketLimit.ts'
import { busy, type Failure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
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
  /** The most messages of one socket that are answered at the same time. */
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

/**
 * Chain RPC over WebSocket: the same path and methods as over HTTP, and the subscriptions of the chain's protocol. Calls
 * have a rate limit of the same size as HTTP requests.
 */
export function rpcUpgrade(
  services: Pick<Services, 'config' | 'kv' | 'log' | 'answers'>,
  upstreams: Upstreams,
  limits: SocketLimits = defaultLimits,
): SocketRoute {
  const socketLimit = createSocketLimit(services.config)
  const feeds = new Map<ChainId, Feed>()
  for (const [id, { webSocketUrls }] of Object.entries(services.config.chains)) {
    const chainId = id as ChainId
    const feed = createFeed(chainId, () => webSocketUrls ?? upstreams.urls(chainId))
    if (getRpcProtocol(chainId) !== undefined) feeds.set(chainId, feed)
  }
  return {
    admit(url, request) {
      const chain = findChain(services.config, url.searchParams.get('chainId') ?? undefined)
      if ('failure' in chain) return chain.failure
      const admitted = socketLimit.admit(request)
      if (typeof admitted !== 'function') return admitted
      const source = { route: 'ws message', from: getOrigin(request) }
      const client = clientAddress(source.from, services.config.trustedProxies)
      return (socket) => {
        admitted(socket)
        serveSocket(socket, {
          chain,
          client,
          log: services.log,
          answers: services.answers,
          upstreams,
          feed: feeds.get(chain.chainId),
          limits,
          takeTurn: async (body) =>
            (await takeTurn(services, source.route, source.from)) ??
            takeCalls(services, { ...source, body }),
        })
      }
    },
  }
}

type Options = Pick<Services, 'log' | 'answers'> & {
  readonly chain: RpcChain
  /** The client's address. */
  readonly client: string
  readonly upstreams: Upstreams
  readonly feed: Feed | undefined
  readonly limits: SocketLimits
  /** Resolves to a failure if the message exceeds the rate limit. */
  readonly takeTurn: (body: RpcBody | undefined) => Promise<Failure | undefined>
}

function serveSocket(
  socket: WebSocket,
  { chain, client, log, answers, upstreams, feed, limits, takeTurn }: Options,
): void {
  let inFlight = 0
  const lease = answers.open(client, 0)
  if (lease === undefined) {
    socket.close(1013, busy.description)
    return
  }
  const send = createSender(socket, { lease, backlogBytes: limits.backlogBytes })
  const protocol = getRpcProtocol(chain.chainId)?.subscriptions
  const subscriptions = openSubscriptions(feed && protocol && { feed, protocol }, {
    notify: send,
    // Notifications were missed. Only a new connection makes that visible to the client.
    onLost: () => socket.close(1012, 'The chain connection was lost. Connect again'),
  })
  const idle = setTimeout(() => {
    if (subscriptions.count() === 0) socket.close(1000, 'Nothing was said for a long time')
    else idle.refresh()
  }, limits.idleMs)
  socket.on('message', async (data, isBinary) => {
    idle.refresh()
    if (isBinary) return send(errorText('null', 'PARSE_ERROR'))
    const body = parseCalls(String(data))
    if (inFlight >= limits.inFlight) return send(refusedText(body, -32005, tooManyOpen))
    inFlight++
    try {
      const limited = await takeTurn(body)
      if (limited !== undefined) return send(refusedText(body, -32005, limited.description))
      send(await answerMessage(body, { chain, client, answers, upstreams, subscriptions }))
    } catch (error) {
      log.error({ err: error }, 'socket message failed')
      socket.close(1011)
    } finally {
      inFlight--
    }
  })
  socket.on('close', () => {
    clearTimeout(idle)
    subscriptions.close()
  })
}

type Message = Pick<Options, 'chain' | 'client' | 'answers' | 'upstreams'> & {
  readonly subscriptions: Subscriptions
}

async function answerMessage(
  body: RpcBody | undefined,
  { chain, client, answers, upstreams, subscriptions }: Message,
): Promise<string> {
  const call = body?.batch === false ? body.calls[0] : undefined
  const answered = call?.method === undefined ? undefined : subscriptions.request(call)
  if (answered !== undefined) return answered
  // This lease lasts until the answer is sent. From then on the socket's own lease accounts for it.
  const lease = answers.open(client)
  if (lease === undefined) return refusedText(body, -32002, busy.description)
  const answer = await answerRpc(upstreams, chain, body, { client, lease }).finally(() =>
    lease.release(),
  )
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
