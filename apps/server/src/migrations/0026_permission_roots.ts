import { type Kysely, sql } from 'kysely'

/**
 * A secret for each day. The keys of sessions that no user has granted yet are derived from it and
 * not stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statement =
    'create table permission_roots (day integer primary key, wrapped bytea not null)'
  await sql.raw(statement).execute(db)
}
