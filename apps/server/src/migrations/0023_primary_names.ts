import { type Kysely, sql } from 'kysely'

/** When an account chose a name of its own to be shown as its name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table names add column primary_at timestamptz`.execute(db)
}
