import { isError } from '@latchkey/wire'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import { StartError } from '../startError.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { findRunningPostgres, type NativePostgres, startNativePostgres } from './nativePostgres.ts'
import {
  backgroundPatience,
  migrationPatience,
  openPool,
  type Patience,
  requestPatience,
} from './openPool.ts'

/**
 * An open, migrated database. `url` is its address, for separate connections. `close` ends its connections and, if this
 * process started it, PostgreSQL itself.
 */
export type OpenDatabase = {
  readonly db: Kysely<Database>
  /** The same database for background work, whose statements may take longer. */
  readonly background: Kysely<Database>
  readonly url: string
  /** The state of the PostgreSQL that this process started. Undefined if the operator runs it. */
  readonly postgres: Pick<NativePostgres, 'failed' | 'trouble'> | undefined
  close(): Promise<void>
}

/** Opens and migrates the configured database, or a native PostgreSQL in the data directory. */
export async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  const { databaseUrl, giveUpAfterMs } = config
  if (databaseUrl !== undefined)
    return connect(config, { url: databaseUrl, log, stop: async () => {} })
  const postgres = await startNativePostgres(config.dataDir, log, { giveUpAfterMs })
  const { url, stop } = postgres
  return { ...(await connect(config, { url, log, stop })), postgres }
}

/** Like {@link openDatabase}, but uses the native PostgreSQL of a server that already runs. For the command line. */
export async function joinDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  const running =
    config.databaseUrl === undefined ? await findRunningPostgres(config.dataDir) : undefined
  if (running === undefined) return openDatabase(config, log)
  return connect(config, { url: running, log, stop: async () => {} })
}

type Connect = { readonly url: string; readonly log: Logger; stop(): Promise<void> }

async function connect(
  { databaseTimeoutMs }: Pick<Config, 'databaseTimeoutMs'>,
  { url, log, stop }: Connect,
): Promise<OpenDatabase> {
  const open = (max: number, patience: Patience) =>
    new Kysely<Database>({
      dialect: new PostgresDialect({ pool: openPool(url, { max, patience, log }) }),
    })
  const migrating = open(2, migrationPatience)
  const db = open(16, requestPatience(databaseTimeoutMs))
  const background = open(4, backgroundPatience)
  const close = async () => {
    await Promise.all([db.destroy(), background.destroy()])
    await stop()
  }
  try {
    await sql`select 1`.execute(migrating)
    await migrate(migrating)
  } catch (error) {
    await close()
    const cause = isError(error, 'DATABASE_UNAVAILABLE') ? error.cause : error
    throw new StartError('DATABASE_FAILED', { cause, data: { reason: getErrorMessage(cause) } })
  } finally {
    await migrating.destroy()
  }
  return { db, background, url, postgres: undefined, close }
}
