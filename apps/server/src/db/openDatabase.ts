import { isError } from '@latchkey/wire'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import { StartError } from '../startError.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import {
  findRunningPostgres,
  hasNativePostgres,
  type NativePostgres,
  startNativePostgres,
} from './nativePostgres.ts'
import {
  backgroundPatience,
  migrationPatience,
  openPool,
  type Patience,
  requestPatience,
} from './openPool.ts'

/**
 * An open, migrated database. `url` is its address, for separate connections. `close` ends its
 * connections and, if this process started it, PostgreSQL itself.
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

/**
 * Like {@link openDatabase}, but uses the native PostgreSQL of a server that already runs. For the
 * command line. `what` describes that database for the user. Creates no database unless `isNew`
 * allows it. Throws `DATABASE_MISSING`.
 */
export async function joinDatabase(
  config: Config,
  log: Logger,
  { isNew }: { readonly isNew: boolean },
): Promise<OpenDatabase & { readonly what: string }> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) {
    const { host, pathname } = new URL(databaseUrl)
    const what = `${host}${pathname}, which DATABASE_URL names`
    return { ...(await openDatabase(config, log)), what }
  }
  const running = await findRunningPostgres(dataDir)
  if (running !== undefined) {
    const joined = await connect(config, { url: running, log, stop: async () => {} })
    return { ...joined, what: `the running server's, in ${dataDir}` }
  }
  if (!isNew && !(await hasNativePostgres(dataDir)))
    throw new StartError('DATABASE_MISSING', { data: { dir: dataDir } })
  return { ...(await openDatabase(config, log)), what: `in ${dataDir}, which no server uses now` }
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
