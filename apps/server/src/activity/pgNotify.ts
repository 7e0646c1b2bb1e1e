import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Hex } from '../evm/hex.ts'
import { createBackoff } from './follow/backoff.ts'

const channel = 'latchkey_activity'
/** A connection that does not answer for this long counts as dead, even if it looks open. */
const silentMs = 5_000
const questionEveryMs = 10_000
const closeTimeoutMs = 500

/**
 * A notice from one process to the others: an account's rows or progress changed, or an account was
 * requested.
 */
export type Notice = {
  readonly type: 'changed' | 'sync' | 'asked'
  readonly chainId: string
  readonly address: Hex
}

/**
 * Notifies every process of the database, including this one; inside a transaction when it is
 * committed.
 */
export async function notify(
  db: Kysely<Database>,
  { type, chainId }: Pick<Notice, 'type' | 'chainId'>,
  addresses: Iterable<Hex>,
): Promise<void> {
  const payloads = [...addresses].map((address) => `${type} ${chainId} ${address}`)
  if (payloads.length === 0) return
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`.execute(
    db,
  )
}

/**
 * Receives notices on a separate connection, opened at the first `open` and again whenever it
 * breaks. Calls `missed` if notices may have been lost.
 */
export function createPgNotify(parameters: {
  readonly databaseUrl: string
  readonly log: Logger
  readonly onNotice: (notice: Notice) => void
  readonly missed: () => void
}) {
  let client: pg.Client | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let opened: Promise<void> | undefined
  let closed = false
  const pause = createBackoff()
  /** Resolves to whether it receives notices. */
  const connect = async (): Promise<boolean> => {
    const next = new pg.Client({
      connectionString: parameters.databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: silentMs,
    })
    client = next
    let question: ReturnType<typeof setInterval> | undefined
    const reconnect = once(() => {
      clearInterval(question)
      next.end().catch(() => {})
      if (closed) return
      parameters.log.warn('lost the connection for activity notifications')
      timer = setTimeout(async () => {
        if (await connect()) parameters.missed()
      }, pause.next())
    })
    next.on('error', reconnect)
    next.on('end', reconnect)
    next.on('notification', ({ payload }) => {
      const notice = parse(payload ?? '')
      if (notice) parameters.onNotice(notice)
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch {
      reconnect()
      return false
    }
    pause.reset()
    question = setInterval(() => next.query('select 1').catch(reconnect), questionEveryMs)
    if (closed) reconnect()
    return !closed
  }
  return {
    /** Resolves when the connection receives notices, or when the first attempt has failed. */
    open(): Promise<void> {
      opened ??= connect().then(() => {})
      return opened
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      if (client === undefined) return
      const silent = setTimeout(
        (socket) => socket.destroy(),
        closeTimeoutMs,
        client.connection.stream,
      )
      await client.end().catch(() => {})
      await opened
      clearTimeout(silent)
    },
  }
}

function once(run: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    run()
  }
}

function parse(payload: string): Notice | undefined {
  const [type, chainId, address] = payload.split(' ')
  if (type !== 'changed' && type !== 'sync' && type !== 'asked') return undefined
  if (chainId === undefined || !address?.startsWith('0x')) return undefined
  return { type, chainId, address: address as Hex }
}
