import { type Kysely, sql } from 'kysely'

/**
 * An account that has only signed in at providers adds its first email address: such a change has
 * no old one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table email_changes alter column old_index drop not null').execute(db)
}
