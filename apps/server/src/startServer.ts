import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { LatchkeyError } from '@latchkey/wire'
import { pino } from 'pino'
import { localUrl, readConfig } from './config.ts'
import { openDatabase } from './db/openDatabase.ts'
import { createMemoryKv } from './kv/memoryKv.ts'
import { createRedisKv } from './kv/redisKv.ts'
import { createMetrics } from './metrics.ts'
import { rpcUpgrade } from './rpc/socketRoute.ts'
import { createUpstreams } from './rpc/upstreams.ts'
import { createServer } from './server.ts'
import type { Services } from './services.ts'
import { listenSockets } from './sockets.ts'

/** A server that listens. `stop` finishes what it has begun (up to 10 s), then closes sockets, kv and database. */
export type RunningServer = {
  readonly url: string
  readonly services: Services
  stop(): Promise<void>
}

type Options = { readonly clock?: () => number }

const drainMs = 10_000

/** Starts the whole server from environment variables. Throws what `readConfig` and `openDatabase` throw. */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
  { clock = Date.now }: Options = {},
): Promise<RunningServer> {
  const read = readConfig(env)
  const log = pino({ level: read.logLevel, base: null })
  const database = await openDatabase(read, log)
  const kv =
    read.redisUrl === undefined ? createMemoryKv(clock) : await createRedisKv(read.redisUrl, log)
  const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env) }) as Server
  let app: ReturnType<typeof createServer>
  try {
    const port = await listen(server, read.host, read.port)
    const publicUrl = env.PUBLIC_URL ? read.publicUrl : localUrl(read.host, port)
    const config = { ...read, port, publicUrl }
    const services: Services = { db: database.db, kv, clock, log, config, metrics: createMetrics() }
    const upstreams = createUpstreams(services)
    app = createServer(services, upstreams)
    const rpc = rpcUpgrade(services, upstreams)
    // The relay's sockets will have a path of their own here.
    const closeSockets = listenSockets(server, services, { '/v1': rpc, '/v1/': rpc, '/ws': rpc })
    log.info({ url: localUrl(read.host, port) }, 'listening')
    const stop = async () => {
      log.info('stopping')
      await Promise.all([closeServer(server), closeSockets()])
      await kv.close()
      await database.close()
    }
    let stopped: Promise<void> | undefined
    return {
      url: localUrl(read.host, port),
      services,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    server.close()
    await kv.close()
    await database.close()
    throw error
  }
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
