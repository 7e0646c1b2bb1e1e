import { type Kysely, sql } from 'kysely'

/**
 * How often the caller of a login was told that its window ended without an answer, without saying
 * that it knows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table social_logins add column strays_told smallint not null default 0`.execute(
    db,
  )
}
