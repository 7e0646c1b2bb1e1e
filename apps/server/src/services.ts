import type { IncomingMessage } from 'node:http'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { Awaitable } from './awaitable.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Health } from './health/health.ts'
import type { ResponseMemory } from './http/createResponseMemory.ts'
import type { Failure } from './http/failure.ts'
import type { Kv } from './kv/kv.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Projects } from './projects/openProjects.ts'

/**
 * The services that every area receives. Created once at start. `clock` returns milliseconds since
 * 1970.
 */
export type Services = {
  readonly db: Kysely<Database>
  readonly projects: Projects
  readonly kv: Kv
  readonly clock: () => number
  readonly log: Logger
  readonly config: Config
  readonly metrics: Metrics
  readonly health: Health
  readonly responseMemory: ResponseMemory
  /** The memory for responses of the secure frame. */
  readonly frameResponseMemory: ResponseMemory
}

/** The services of a server without a database. */
export type BaseServices = Omit<Services, 'db' | 'projects'>
/** A relay alone may have no database. */
export type RelayServices = BaseServices & Partial<Pick<Services, 'db' | 'projects'>>

/**
 * The WebSocket side of an area. Project, origin and rate limit have been checked; sockets are
 * pinged and, at shutdown, closed with 1001 by the server.
 */
export type SocketRoute = {
  /** The largest message in bytes. Defaults to the body limit. */
  readonly messageMaxBytes?: number
  /**
   * Decides before the upgrade: returns an HTTP error, or the handler of the open socket. Anything
   * that it counts is counted from here until the request's connection ends.
   */
  admit(url: URL, request: IncomingMessage): Awaitable<Failure | OpenSocket>
  /** The close code and reason for clients that cannot read HTTP errors, if they asked for that. */
  farewell?(url: URL, failure: Failure): readonly [code: number, reason: string] | undefined
}

type OpenSocket = (socket: WebSocket) => void
