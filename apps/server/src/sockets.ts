import type { IncomingMessage, Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Failure, failureBody } from './http/failure.ts'
import { takeTurn } from './http/limitRate.ts'
import { authorize } from './projects/authorize.ts'
import type { Services, SocketRoute } from './services.ts'

/** Clients give a silent server up after 35 s. */
const pingEveryMs = 20_000

/** Answers WebSocket upgrades on `server` by path. The returned function closes every socket with 1001. */
export function listenSockets(
  server: Server,
  services: Services,
  routes: Readonly<Record<string, SocketRoute>>,
): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    // Ten times slower and a hundred times the memory.
    perMessageDeflate: false,
    maxPayload: services.config.bodyLimitBytes,
  })
  const onUpgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    try {
      const url = parseUrl(request)
      const route = url && Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined
      if (!url || !route) return refuse(stream, nothingHere)
      const failure = (await check(services, url, request)) ?? route.refuse(url)
      if (failure) return refuse(stream, failure)
      sockets.handleUpgrade(request, stream, head, (socket) => {
        watch(socket, services)
        route.open(socket, url, request)
      })
    } catch (error) {
      services.log.error({ err: error }, 'upgrade failed')
      refuse(stream, { status: 500, field: 'server', description: 'Something went wrong' })
    }
  }
  server.on('upgrade', onUpgrade)
  return async () => {
    server.off('upgrade', onUpgrade)
    for (const socket of sockets.clients) socket.close(1001, 'The server is going away')
    const endsAt = performance.now() + 2_000
    while (sockets.clients.size > 0 && performance.now() < endsAt)
      await new Promise((resolve) => setTimeout(resolve, 10))
    for (const socket of sockets.clients) socket.terminate()
  }
}

async function check(services: Services, url: URL, request: IncomingMessage) {
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  const limited = await takeTurn(services, `ws ${url.pathname}`, {
    socketAddress: request.socket.remoteAddress,
    forwardedFor: header('x-forwarded-for'),
  })
  if (limited) return limited
  return authorize(services, {
    projectId: url.searchParams.get('projectId') ?? undefined,
    origin: header('origin'),
    site: header('sec-fetch-site'),
    host: header('host'),
  })
}

/** Pings a socket and drops it when a ping stays without answer. */
function watch(socket: WebSocket, { log }: Services): void {
  let answered = true
  const timer = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, pingEveryMs)
  socket.on('pong', () => {
    answered = true
  })
  socket.on('error', (error) => log.debug({ reason: error.message }, 'socket error'))
  socket.on('close', () => clearInterval(timer))
}

const nothingHere: Failure = {
  status: 404,
  field: 'path',
  description: 'There is no WebSocket at this path',
}

function refuse(stream: Duplex, failure: Failure): void {
  const body = JSON.stringify(failureBody(failure))
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...(failure.retryAfterSeconds === undefined
      ? []
      : [`retry-after: ${Math.max(1, Math.ceil(failure.retryAfterSeconds))}`]),
  ]
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function parseUrl(request: IncomingMessage): URL | undefined {
  const text = `http://host${request.url ?? '/'}`
  return URL.canParse(text) ? new URL(text) : undefined
}
