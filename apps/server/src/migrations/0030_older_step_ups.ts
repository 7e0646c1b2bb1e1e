import { type Kysely, sql } from 'kysely'

/**
 * Until when an action counts as confirmed by a sign-in or passkey that is older than the address.
 * Confirmations from before this column do not count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table step_ups add column older_until timestamptz').execute(db)
}
