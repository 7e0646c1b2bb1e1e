import { type Kysely, sql } from 'kysely'

/** When an account chose its primary name among its names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table names add column primary_at timestamptz`.execute(db)
}
