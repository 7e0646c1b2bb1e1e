import { type Kysely, sql } from 'kysely'

/**
 * How often the caller of a login got the report that its window ended without a response, and did
 * not acknowledge it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table social_logins add column strays_told smallint not null default 0`.execute(
    db,
  )
}
