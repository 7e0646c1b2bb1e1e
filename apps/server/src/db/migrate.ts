import { type Kysely, Migrator, sql } from 'kysely'
import { migrations } from '../migrations/migrations.ts'

/** Our number for PostgreSQL's advisory lock. */
const lockId = 4_815_162_342

/**
 * Migrates the tables to the latest version. Processes that start at the same time wait for each
 * other.
 */
export async function migrate<Schema>(db: Kysely<Schema>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockId})`.execute(connection)
    try {
      const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
      const { error } = await migrator.migrateToLatest()
      if (error !== undefined) throw error
    } finally {
      await sql`select pg_advisory_unlock(${lockId})`.execute(connection)
    }
  })
}
