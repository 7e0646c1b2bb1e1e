import type { ChainId } from '@latchkey/wire'
import type { WebSocket } from 'ws'
import type { Failure } from '../http/failure.ts'
import { takeTurn } from '../http/limitRate.ts'
import type { Services, SocketRoute } from '../services.ts'
import { answerRpc, errorText } from './answerRpc.ts'
import { chainOf } from './chainOf.ts'
import { parseCalls, type RpcBody } from './parseCalls.ts'
import { openSubscriptions, type Subscriptions } from './subscriptions.ts'
import type { Upstreams } from './upstreams.ts'

export type SocketLimits = {
  /** Bodies answered at the same time for one socket. */
  readonly inFlight: number
  /** A socket without subscription that says nothing for so long is closed. */
  readonly idleMs: number
  /** Bytes a slow reader may let pile up. */
  readonly backlogBytes: number
}

const defaultLimits: SocketLimits = {
  inFlight: 50,
  idleMs: 10 * 60_000,
  backlogBytes: 16 * 1024 * 1024,
}

/**
 * Chain RPC over WebSocket, same path and methods, and `eth_subscribe` to `newHeads` and `logs`. Messages count towards a
 * rate limit of the same size as that of HTTP requests.
 */
export function rpcUpgrade(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  upstreams: Upstreams,
  limits: SocketLimits = defaultLimits,
): SocketRoute {
  return {
    admit(url, request) {
      const chain = chainOf(services.config, url.searchParams.get('chainId') ?? undefined)
      if ('failure' in chain) return chain.failure
      return (socket) =>
        serveSocket(socket, {
          chainId: chain.chainId,
          log: services.log,
          upstreams,
          limits,
          takeTurn: () =>
            takeTurn(services, 'ws message', {
              socketAddress: request.socket.remoteAddress,
              forwardedFor: [request.headers['x-forwarded-for']].flat()[0],
            }),
        })
    },
  }
}

type Options = Pick<Services, 'log'> & {
  readonly chainId: ChainId
  readonly upstreams: Upstreams
  readonly limits: SocketLimits
  /** Says why a message comes too early. */
  readonly takeTurn: () => Promise<Failure | undefined>
}

function serveSocket(
  socket: WebSocket,
  { chainId, log, upstreams, limits, takeTurn }: Options,
): void {
  let inFlight = 0
  const send = (text: string) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > limits.backlogBytes) return socket.terminate()
    socket.send(text)
  }
  const subscriptions = openSubscriptions(upstreams.urls(chainId), chainId, {
    notify: send,
    // Notifications were missed: only a new connection makes that visible.
    lost: () => socket.close(1012, 'The chain connection was lost. Connect again'),
  })
  const idle = setTimeout(() => {
    if (subscriptions.count() === 0) socket.close(1000, 'Nothing was said for a long time')
    else idle.refresh()
  }, limits.idleMs)
  socket.on('message', async (data, isBinary) => {
    idle.refresh()
    if (isBinary) return send(errorText('null', 'PARSE_ERROR'))
    if (inFlight >= limits.inFlight)
      return send(errorText('null', 'INVALID_REQUEST', 'Too many requests are open on this socket'))
    inFlight++
    try {
      const limited = await takeTurn()
      if (limited !== undefined) return send(refusedText(parseCalls(String(data)), -32005, limited))
      send(await answerMessage(String(data), { chainId, upstreams, subscriptions }))
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

type Message = Pick<Options, 'chainId' | 'upstreams'> & { readonly subscriptions: Subscriptions }

async function answerMessage(
  text: string,
  { chainId, upstreams, subscriptions }: Message,
): Promise<string> {
  const body = parseCalls(text)
  const call = body?.batch === false ? body.calls[0] : undefined
  if (call?.method === 'eth_subscribe' || call?.method === 'eth_unsubscribe')
    return subscriptions.request(call)
  const answer = await answerRpc(upstreams, chainId, text)
  if ('body' in answer) return answer.body
  return refusedText(body, -32002, answer.failure)
}

/** Nothing but a JSON-RPC error can say on a socket what 429 and 503 say: one for each call. */
function refusedText(body: RpcBody | undefined, code: number, { description }: Failure): string {
  const error = JSON.stringify({ code, message: description })
  const ids = body?.calls.map(({ id }) => id) ?? ['null']
  const answers = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`)
  return body?.batch ? `[${answers.join(',')}]` : `${answers[0]}`
}
