import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { isError } from '@latchkey/wire'
import { type WebSocket, WebSocketServer } from 'ws'
import { clientAddress, getOrigin } from './http/clientAddress.ts'
import { type Failure, failureBody, toFailure } from './http/failure.ts'
import { takeTurn } from './http/limitRate.ts'
import { type Input, limitInput } from './http/listener/limitInput.ts'
import { readSocketProjectId } from './http/request/projectId.ts'
import { authorizeProvider } from './projects/authorizeProvider.ts'
import type { ProjectCheck } from './projects/createProjectCheck.ts'
import type { Services, SocketRoute } from './services.ts'

/** Clients drop a silent server after 35 s. */
const pingEveryMs = 15_000
/** How long a socket may take to close. */
const closeTimeoutMs = 5_000
const drainMs = 2_000

type SocketServices = Pick<Services, 'kv' | 'config' | 'log' | 'clock'> & {
  readonly authorize: ProjectCheck
}

/** The open sockets of a server. */
export type Sockets = {
  /**
   * Call about once a second: pings idle sockets, and drops those that did not answer the last ping
   * or send a message too slowly.
   */
  sweep(): void
  /** Refuses further upgrades. */
  refuse(): void
  /** Closes every socket with 1001. */
  close(): Promise<void>
}

/** Answers WebSocket upgrades on `server` by path. */
export function listenSockets(
  server: Server,
  services: SocketServices,
  routes: Readonly<Record<string, SocketRoute>>,
): Sockets {
  const sockets = new Map<WebSocket, Watch>()
  const watchInput = limitInput(services.clock)
  const acceptors = new Map<SocketRoute, WebSocketServer>()
  for (const route of Object.values(routes))
    acceptors.set(route, createAcceptor(route.messageMaxBytes ?? services.config.bodyLimitBytes))
  let refusing = false
  const onUpgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const unguard = guard(stream)
    try {
      const url = parseUrl(request)
      const path = url?.pathname.replace(/(?<=.)\/$/, '') ?? ''
      const route = url && Object.hasOwn(routes, path) ? routes[path] : undefined
      const limited = await takeTurn(services, `ws ${route ? path : 'other'}`, getOrigin(request))
      if (limited) return refuse(stream, limited)
      if (!url || !route) return refuse(stream, nothingHere)
      const failure = await check(services, url, request)
      const open = failure ?? (await route.admit(url, request))
      if (refusing) return refuse(stream, stopping)
      const farewell = typeof open === 'function' ? undefined : route.farewell?.(url, open)
      if (typeof open !== 'function' && !farewell) return refuse(stream, open)
      acceptors.get(route)?.handleUpgrade(request, stream, head, (socket) => {
        unguard()
        const client = clientAddress(getOrigin(request), services.config.trustedProxies)
        const input = watchInput({ client, stream: request.socket, socket })
        watch(sockets, socket, { ...services, input })
        if (typeof open === 'function') open(socket)
        else if (farewell) socket.close(...farewell)
      })
    } catch (error) {
      const failure = toFailure(error)
      const reason = isError(error) ? error.code : error instanceof Error ? error.name : 'unknown'
      services.log[failure.status === 500 ? 'error' : 'warn']({ reason }, 'upgrade failed')
      refuse(stream, failure)
    }
  }
  server.on('upgrade', onUpgrade)
  return {
    sweep: () => sweep(sockets, services.clock()),
    refuse() {
      refusing = true
    },
    async close() {
      refusing = true
      for (const socket of sockets.keys()) socket.close(1001, 'The server is going away')
      const endsAt = performance.now() + drainMs
      while (sockets.size > 0 && performance.now() < endsAt)
        await new Promise((resolve) => setTimeout(resolve, 10))
      for (const socket of sockets.keys()) socket.terminate()
    },
  }
}

function createAcceptor(maxPayload: number) {
  const options = {
    noServer: true,
    clientTracking: false,
    // Compression would take ten times as long and a hundred times the memory.
    perMessageDeflate: false,
    maxPayload,
    closeTimeout: closeTimeoutMs,
  }
  return new WebSocketServer(options)
}

const header = (request: IncomingMessage, name: string) => [request.headers[name]].flat()[0]

async function check({ authorize }: SocketServices, url: URL, request: IncomingMessage) {
  const readParam = (name: string) => url.searchParams.get(name) || undefined
  const caller = {
    projectId: readSocketProjectId(url, request),
    origin: header(request, 'origin'),
    site: header(request, 'sec-fetch-site'),
    host: header(request, 'host'),
    bundleId: readParam('bundleId') ?? readParam('packageName'),
  }
  return (
    (await authorize(caller)) ??
    (await authorizeProvider(authorize, caller, readParam('providerId')))
  )
}

function guard(stream: Duplex): () => void {
  const destroy = () => void stream.destroy()
  stream.on('error', destroy)
  return () => void stream.off('error', destroy)
}

type Watch = { readonly input: Input; pingedAtMs: number; answered: boolean }

// A separate function, like `guard`: a listener keeps its whole closure alive, which would include
// the request.
function watch(
  sockets: Map<WebSocket, Watch>,
  socket: WebSocket,
  { clock, log, input }: SocketServices & { readonly input: Input },
): void {
  const state: Watch = { input, pingedAtMs: clock(), answered: true }
  sockets.set(socket, state)
  socket.on('error', (error) => log.debug({ reason: error.message }, 'socket error'))
  socket.on('pong', () => {
    state.answered = true
  })
  socket.on('close', () => sockets.delete(socket))
}

function sweep(sockets: Map<WebSocket, Watch>, nowMs: number): void {
  for (const [socket, state] of sockets) {
    // The server does not read from this socket now, so a pong or the rest of a message cannot
    // arrive.
    if (socket.isPaused) {
      state.answered = true
      continue
    }
    if (state.input.isLate()) {
      socket.terminate()
      continue
    }
    if (nowMs - state.pingedAtMs < pingEveryMs) continue
    if (!state.answered) {
      socket.terminate()
      continue
    }
    state.pingedAtMs = nowMs
    state.answered = false
    socket.ping()
  }
}

const nothingHere: Failure = {
  status: 404,
  field: 'path',
  description: 'There is no WebSocket at this path',
}
const stopping: Failure = {
  status: 503,
  field: 'server',
  description: 'The server is going away',
  retryAfterSeconds: 1,
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
  // The client could leave its half of the connection open, and connections with an upgrade do not
  // count towards its limit.
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => stream.destroy())
  const timer = setTimeout(() => stream.destroy(), closeTimeoutMs)
  stream.once('close', () => clearTimeout(timer))
}

function parseUrl(request: IncomingMessage): URL | undefined {
  const text = `http://host${request.url ?? '/'}`
  return URL.canParse(text) ? new URL(text) : undefined
}
