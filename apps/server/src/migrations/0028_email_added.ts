import { type Kysely, sql } from 'kysely'

/**
 * When an account that began without an email address got one. Addresses from before this column
 * count as added now.
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
