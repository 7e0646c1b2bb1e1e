import { type Kysely, sql } from 'kysely'

/**
 * When a response that does not belong to a login at a provider last arrived in the window of that
 * login.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table social_logins add column strayed_at timestamptz`.execute(db)
}
