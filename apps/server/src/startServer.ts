import type { RequestListener, Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { whenReady } from './awaitable.ts'
import { type Config, localUrl, readConfig } from './config.ts'
import { createHealth } from './health/health.ts'
import { createProxyCheck } from './http/createProxyCheck.ts'
import { createResponseMemory } from './http/createResponseMemory.ts'
import { frameBodyMaxBytes } from './http/limitBody.ts'
import { closeServer, listen } from './http/listener/listen.ts'
import { openListener } from './http/listener/openListener.ts'
import type { Kv } from './kv/kv.ts'
import { createMemoryKv } from './kv/memoryKv.ts'
import { createMetrics } from './metrics/metrics.ts'
import { keepTicksFast } from './process/keepTicksFast.ts'
import { openLog } from './process/openLog.ts'
import { createProjectCheck } from './projects/createProjectCheck.ts'
import { openRelay } from './relay/openRelay.ts'
import { openRole } from './roles/openRole.ts'
import type { Serving } from './roles/role.ts'
import type { RelayServices } from './services.ts'
import { listenSockets } from './sockets.ts'
import type { StartError } from './startError.ts'

/**
 * A listening server. `tick` runs the work that otherwise runs once a second, for tests with their
 * own clock. `stop` finishes pending work (up to 9 s), then closes sockets, kv and database, even
 * if something hangs.
 */
export type RunningServer = {
  readonly url: string
  /** The URL of the secure frame; undefined for a relay without other parts. */
  readonly frameUrl: string | undefined
  readonly services: RelayServices
  tick(): Promise<void>
  /** Resolves when the server cannot continue and should be stopped; never otherwise. */
  readonly failed: Promise<StartError>
  stop(): Promise<void>
}

/** Options for tests. `relayPushDelayMs`: how long the relay waits before each push. */
export type ServerOptions = {
  readonly clock?: () => number
  readonly log?: Logger
  readonly relayPushDelayMs?: number
}

/** Parts that hang are abandoned: the process must end within 15 s of its signal. */
const stopTimeoutMs = 9_500
const tickMs = 1_000

/**
 * Starts the server of the environment's role. Throws what `readConfig` and `openDatabase` throw.
 */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
  { clock = Date.now, relayPushDelayMs, ...options }: ServerOptions = {},
): Promise<RunningServer> {
  keepTicksFast()
  const read = readConfig(env)
  const log = options.log ?? openLog(read.logLevel)
  const role = await openRole(read, log)
  const kv = await openKv(read.redisUrl, clock, log)
  let serving: Serving | undefined
  let headers: [string, string][] = []
  const away = () => new Response(null, { status: 503 })
  const framework = getRequestListener((request, env) => serving?.fetch(request, env) ?? away())
  const answerByFramework: RequestListener = (request, response) => {
    // Here, and not on each response: to set a header there makes the framework build and sort them
    // all.
    for (const [name, value] of headers) response.setHeader(name, value)
    return framework(request, response)
  }
  const server = openListener(read, {
    bodyMaxBytes: read.bodyLimitBytes,
    listener: (request, response) =>
      whenReady(serving?.answerFromCache?.(request, response) ?? false, (answered) => {
        if (!answered) return answerByFramework(request, response)
      }),
  })
  const frameServer = openListener(read, {
    bodyMaxBytes: frameBodyMaxBytes,
    listener: getRequestListener((request, env) => serving?.frame?.(request, env) ?? away()),
  })
  try {
    const port = await listen(server, { host: read.host, port: read.port, variable: 'PORT' })
    const publicUrl = env.PUBLIC_URL ? read.publicUrl : localUrl(read.host, port)
    const config = { ...read, port, publicUrl, frame: await listenFrame(frameServer, env, read) }
    for (const one of [server, frameServer])
      one.on('error', (error) => log.warn({ err: error }, 'a connection was not accepted'))
    const checkProxy = createProxyCheck({ config, log })
    for (const one of [server, frameServer]) one.on('request', checkProxy)
    server.on('upgrade', checkProxy)
    const health = createHealth()
    const responseMemory = createResponseMemory({ clock, limits: config.answerBytes })
    const frameResponseMemory = createResponseMemory({ clock, limits: config.frameAnswerBytes })
    health.add('answers', responseMemory.trouble)
    health.add('frame', frameResponseMemory.trouble)
    if (role.postgres) health.add('db', role.postgres.trouble)
    const base = {
      kv,
      clock,
      log,
      config,
      metrics: createMetrics(),
      health,
      responseMemory,
      frameResponseMemory,
    }
    const services: RelayServices = { ...base, ...role.database }
    const opened = await role.serve(base)
    const relay = await openRelay(services, { pushDelayMs: relayPushDelayMs })
    const sockets = listenSockets(
      server,
      { ...services, authorize: createProjectCheck(services) },
      { ...opened.routes, '/': relay.route },
    )
    serving = opened
    headers = Object.entries(opened.headers)
    log.info({ url: localUrl(read.host, port) }, 'listening')
    if (!role.database) log.info('no DATABASE_URL: every project id is accepted')
    const tick = async () => {
      sockets.sweep()
      responseMemory.sweep()
      frameResponseMemory.sweep()
      await relay.tick()
      await opened.tick?.()
    }
    const timer = setInterval(() => {
      tick().catch(() => log.warn('could not sweep'))
    }, tickMs)
    const stop = async () => {
      log.info('stopping')
      clearInterval(timer)
      sockets.refuse()
      const goodbyes = [
        closeServer(server),
        closeServer(frameServer),
        opened.stop?.(),
        relay.stop().then(() => sockets.close()),
      ]
      await settle(goodbyes, { timeoutMs: stopTimeoutMs, log })
      await kv.close()
      await role.close()
    }
    let stopped: Promise<void> | undefined
    return {
      url: localUrl(read.host, port),
      frameUrl: opened.frame && config.frame.url,
      services,
      tick,
      failed: role.postgres?.failed ?? never,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    server.close()
    frameServer.close()
    await kv.close()
    await role.close()
    throw error
  }
}

/** Waits until everything has succeeded or failed, but at most `timeoutMs`. */
async function settle(
  work: readonly (void | Promise<void> | undefined)[],
  { timeoutMs, log }: { readonly timeoutMs: number; readonly log: Logger },
): Promise<void> {
  const abort = new AbortController()
  const timeout = sleep(timeoutMs, 'late' as const, { signal: abort.signal }).catch(() => undefined)
  const ends = await Promise.race([Promise.allSettled(work), timeout])
  abort.abort()
  if (ends === 'late') return log.warn('left behind what did not stop')
  for (const end of ends ?? [])
    if (end.status === 'rejected') log.warn({ err: end.reason }, 'a part did not stop cleanly')
}

const never = new Promise<never>(() => {})

async function openKv(redisUrl: string | undefined, clock: () => number, log: Logger): Promise<Kv> {
  if (redisUrl === undefined) return createMemoryKv(clock)
  const { createRedisKv } = await import('./kv/redisKv.ts')
  return createRedisKv(redisUrl, log)
}

/** A relay alone opens no second port. */
async function listenFrame(
  server: Server,
  env: Readonly<Record<string, string | undefined>>,
  { role, host, frame }: Config,
): Promise<Config['frame']> {
  if (role === 'relay') return frame
  const port = await listen(server, { host, port: frame.port, variable: 'FRAME_PORT' })
  return { ...frame, port, url: env.FRAME_URL ? frame.url : localUrl(host, port) }
}
