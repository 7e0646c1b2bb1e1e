import { type Kysely, sql } from 'kysely'

/** The secret of a login's request at Farcaster's relay, sealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table social_logins add column channel_sealed bytea`.execute(db)
}
