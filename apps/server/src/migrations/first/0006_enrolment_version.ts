import { type Kysely, sql } from 'kysely'

/**
 * Enrollments name the version of their exchange: those of before are refused. The old device's key
 * is part of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table enrollments
      add column version integer not null default 1,
      add column met_key text
  `.execute(db)
}
