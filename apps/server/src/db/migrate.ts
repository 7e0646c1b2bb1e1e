import { type Kysely, Migrator, sql } from 'kysely'
import { migrations } from '../migrations/migrations.ts'

/** One number of ours for PostgreSQL's advisory locks. */
const lockId = 4_815_162_342

/** Brings the tables up to date. Processes that start together wait for each other. */
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
