import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { LatchkeyError } from '@latchkey/wire'
import { type Logger, pino } from 'pino'
import { localUrl, readConfig } from './config.ts'
import type { Kv } from './kv/kv.ts'
import { createMemoryKv } from './kv/memoryKv.ts'
import { createMetrics } from './metrics.ts'
import { createGate } from './projects/gate.ts'
import { openRelay } from './relay/openRelay.ts'
import { openRole } from './role.ts'
import type { Services } from './services.ts'
import { listenSockets } from './sockets.ts'

/**
 * A server that listens. `tick` is what happens by itself once a second, for tests with a clock of their own. `stop`
 * finishes what it has begun (up to 10 s), then closes sockets, kv and database.
 */
export type RunningServer = {
  readonly url: string
  /** A relay alone may have no database. */
  readonly services: Omit<Services, 'db'> & Partial<Pick<Services, 'db'>>
  tick(): Promise<void>
  stop(): Promise<void>
}

/** What tests hand in. `relayPushDelayMs`: so long the relay waits before each push. */
export type ServerOptions = {
  readonly clock?: () => number
  readonly log?: Logger
  readonly relayPushDelayMs?: number
}

const drainMs = 10_000
const tickMs = 1_000

/** Starts the server of the environment's role. Throws what `readConfig` and `openDatabase` throw. */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
  { clock = Date.now, relayPushDelayMs, ...given }: ServerOptions = {},
): Promise<RunningServer> {
  const read = readConfig(env)
  const log = given.log ?? pino({ level: read.logLevel, base: null })
  const role = await openRole(read, log)
  const kv = await openKv(read.redisUrl, clock, log)
  let fetch: ReturnType<typeof role.serve>['fetch'] | undefined
  const server = createAdaptorServer({
    fetch: (request, env) => fetch?.(request, env) ?? new Response(null, { status: 503 }),
  }) as Server
  try {
    const port = await listen(server, read.host, read.port)
    const publicUrl = env.PUBLIC_URL ? read.publicUrl : localUrl(read.host, port)
    const config = { ...read, port, publicUrl }
    const base = { kv, clock, log, config, metrics: createMetrics() }
    const services = role.db ? { ...base, db: role.db } : base
    const serving = role.serve(base)
    const relay = await openRelay(services, { pushDelayMs: relayPushDelayMs })
    const sockets = listenSockets(
      server,
      { ...services, authorize: createGate(services) },
      { ...serving.routes, '/': relay.route },
    )
    fetch = serving.fetch
    log.info({ url: localUrl(read.host, port) }, 'listening')
    if (!role.db) log.info('no DATABASE_URL: every project id is accepted')
    const tick = async () => {
      sockets.sweep()
      await relay.tick()
    }
    const timer = setInterval(() => {
      tick().catch(() => log.warn('the relay could not sweep'))
    }, tickMs)
    const stop = async () => {
      log.info('stopping')
      clearInterval(timer)
      sockets.refuse()
      const closed = closeServer(server)
      await relay.stop()
      await Promise.all([closed, sockets.close()])
      await kv.close()
      await role.close()
    }
    let stopped: Promise<void> | undefined
    return {
      url: localUrl(read.host, port),
      services,
      tick,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    server.close()
    await kv.close()
    await role.close()
    throw error
  }
}

async function openKv(redisUrl: string | undefined, clock: () => number, log: Logger): Promise<Kv> {
  if (redisUrl === undefined) return createMemoryKv(clock)
  const { createRedisKv } = await import('./kv/redisKv.ts')
  return createRedisKv(redisUrl, log)
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE'
      reject(taken ? new LatchkeyError('PORT_TAKEN', { cause, data: { host, port } }) : cause)
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Stops accepting, lets requests under way finish, and closes connections as they fall idle. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const force = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(force)
}
