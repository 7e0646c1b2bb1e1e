import { type Kysely, sql } from 'kysely'

/**
 * Allows changes of email without an old address: an account that has only signed in at providers
 * adds its first one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table email_changes alter column old_index drop not null').execute(db)
}
