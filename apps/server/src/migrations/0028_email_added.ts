import { type Kysely, sql } from 'kysely'

/**
 * Since when an account that began without an email address has one. What was added before this
 * column counts as added now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table users add column email_added_at timestamptz').execute(db)
  await sql
    .raw(
      `update users set email_added_at = now() where email_index is not null and exists (
        select from identities where identities.user_id = users.id and identities.created_at <= users.created_at
      )`,
    )
    .execute(db)
}
