import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { getCurrentClient } from '../http/currentClient.ts'
import { createFairQueue, type FairQueue } from '../shares/createFairQueue.ts'
import { toUnavailable } from './toUnavailable.ts'

/**
 * How long callers wait. If `answerMs` is shorter than `connectMs`, connecting and the first
 * response share it.
 */
export type Patience = {
  /** How long to wait for a connection, including the wait for a free one in the pool. */
  readonly connectMs: number
  /** When PostgreSQL itself cancels a statement and rolls it back. */
  readonly statementMs: number
  /** How long to wait for a response before the connection is dropped. */
  readonly answerMs: number
}

/**
 * For requests: they wait at most `timeoutMs` for a connection, and as long for the response to
 * each statement.
 */
export const requestPatience = (timeoutMs: number): Patience => ({
  connectMs: timeoutMs,
  statementMs: timeoutMs,
  answerMs: timeoutMs + 300,
})
/** For background work. */
export const backgroundPatience: Patience = {
  connectMs: 30_000,
  statementMs: 30_000,
  answerMs: 32_000,
}
/** For migrations, which may rewrite a large table and wait for each other. */
export const migrationPatience: Patience = {
  connectMs: 30_000,
  statementMs: 1_800_000,
  answerMs: 1_810_000,
}

/** How long an idle transaction may keep its locks. */
const idleTransactionMs = 10_000
const minWaitMs = 100
/** How many requests wait for a connection at most. */
const maxWaiting = 10_000
const endTimeoutMs = 500

type Parameters = { readonly max: number; readonly patience: Patience; readonly log: Logger }

/**
 * A pool of connections that never waits longer than its `patience`, neither for a free connection
 * nor for a handshake or a response. A client has at most half of the connections. If the database
 * does not answer, it throws `DATABASE_UNAVAILABLE` and drops the silent connection. `end` gives
 * running statements half a second.
 */
export function openPool(url: string, { max, patience, log }: Parameters): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    keepAlive: true,
    connectionTimeoutMillis: patience.connectMs,
    types,
  })
  const queue = createFairQueue({
    atOnce: max,
    perKey: Math.ceil(max / 2),
    waiting: maxWaiting,
    maxWaitMs: patience.connectMs,
  })
  const clients = new Set<pg.PoolClient>()
  // An idle connection that breaks is replaced on the next use.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost a database connection'))
  pool.on('connect', (client) => {
    clients.add(client)
    // A connection that breaks in a transaction fails the next query. Without a listener the error
    // would end the process.
    client.on('error', () => {})
    // Set these before the first query, not as connection parameters, which poolers refuse.
    client.query(getSettings(patience)).catch(() => {})
  })
  pool.on('remove', (client) => clients.delete(client))
  return {
    async connect() {
      const startedAtMs = performance.now()
      const leave = await takeTurn(queue, getCurrentClient())
      const connecting = pool.connect()
      const waitMs = patience.connectMs + minWaitMs - (performance.now() - startedAtMs)
      const client = await within(Math.max(minWaitMs, waitMs), connecting).catch((error) => {
        leave()
        connecting.then(
          (late) => late.release(),
          () => {},
        )
        throw toUnavailable(error)
      })
      const leftMs = patience.answerMs - (performance.now() - startedAtMs)
      return withPatience(client, { patience, firstMs: Math.max(minWaitMs, leftMs), leave })
    },
    async end() {
      const ended = pool.end()
      await within(endTimeoutMs, ended).catch(() => {
        for (const client of clients) client.connection.stream.destroy()
      })
    },
  }
}

const getSettings = ({ statementMs }: Patience) =>
  `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${idleTransactionMs}`

/**
 * A connection with a time limit per query. It accepts no further query after a query that was not
 * answered in time.
 */
function withPatience(
  client: pg.PoolClient,
  {
    patience,
    firstMs,
    leave,
  }: { readonly patience: Patience; readonly firstMs: number; readonly leave: () => void },
): PostgresPoolClient {
  let waitMs = firstMs
  let silent: Error | undefined
  const query = async (text: string, values: readonly unknown[]) => {
    if (silent) throw silent
    try {
      return await within(waitMs, client.query(text, [...values]))
    } catch (error) {
      const failure = toUnavailable(error)
      if (error instanceof Late) silent = failure as Error
      throw failure
    } finally {
      waitMs = patience.answerMs
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release() {
      leave()
      client.release(silent)
    },
  }
}

/**
 * Waits until a client may take a connection; the server's own work always may. Returns the
 * function that ends the turn. Throws `DATABASE_UNAVAILABLE` if too many requests wait.
 */
const takeTurn = (queue: FairQueue, client: string | undefined) =>
  new Promise<() => void>((resolve, reject) => {
    if (client === undefined) return resolve(() => {})
    queue(client, () => new Promise<void>((leave) => resolve(leave))).catch((error: unknown) =>
      reject(toUnavailable(error)),
    )
  })

/** No response arrived in time. */
class Late extends Error {}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    // Read first what arrived while this process was busy.
    const giveUp = () =>
      setImmediate(() =>
        setImmediate(() => reject(new Late(`no answer within ${Math.round(ms)} ms`))),
      )
    timer = setTimeout(giveUp, ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

/**
 * Reads int8 (type 20) as bigint: a number would round, and with pg's text `+` would concatenate by
 * accident.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === 20 && format !== 'binary'
      ? (value: string) => BigInt(value)
      : pg.types.getTypeParser(id, format as 'text'),
}
