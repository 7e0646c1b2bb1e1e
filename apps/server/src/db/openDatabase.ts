import { LatchkeyError } from '@latchkey/wire'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { findRunningPostgres, type NativePostgres, startNativePostgres } from './nativePostgres.ts'
import { reasonOf } from './reasonOf.ts'

/**
 * An open, migrated database; `url` is where, for connections apart. `close` ends its connections and, where we started
 * it, PostgreSQL itself.
 */
export type OpenDatabase = {
  readonly db: Kysely<Database>
  readonly url: string
  /** How the PostgreSQL fares that we started; undefined where it is another's. */
  readonly postgres: Pick<NativePostgres, 'failed' | 'trouble'> | undefined
  close(): Promise<void>
}

/** Opens the database of the configuration, or a native PostgreSQL in the data directory, and migrates it. */
export async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return connect(config.databaseUrl, log, async () => {})
  const { giveUpAfterMs } = config
  const postgres = await startNativePostgres(config.dataDir, log, { giveUpAfterMs })
  return { ...(await connect(postgres.url, log, postgres.stop)), postgres }
}

/** As {@link openDatabase}, but joins a native PostgreSQL that a server already runs: for the command line. */
export async function joinDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  const running =
    config.databaseUrl === undefined ? await findRunningPostgres(config.dataDir) : undefined
  return running === undefined ? openDatabase(config, log) : connect(running, log, async () => {})
}

async function connect(url: string, log: Logger, stop: () => Promise<void>): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 10_000,
    types,
  })
  // An idle connection that breaks is replaced on the next use.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost a database connection'))
  // One that breaks in a transaction fails its next query; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    await db.destroy()
    await stop()
  }
  try {
    await sql`select 1`.execute(db)
    await migrate(db)
  } catch (cause) {
    await close()
    throw new LatchkeyError('DATABASE_FAILED', { cause, data: { reason: reasonOf(cause) } })
  }
  return { db, url, postgres: undefined, close }
}

/** int8 (type 20) as bigint: a number would round, and pg's text is easily added to by accident. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === 20 && format !== 'binary'
      ? (value: string) => BigInt(value)
      : pg.types.getTypeParser(id, format as 'text'),
}
