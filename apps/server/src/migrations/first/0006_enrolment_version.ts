import { type Kysely, sql } from 'kysely'

/**
 * Enrollments contain the version of their exchange. Older enrollments are refused. The exchange
 * includes the old device's key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table enrollments
      add column version integer not null default 1,
      add column met_key text
  `.execute(db)
}
