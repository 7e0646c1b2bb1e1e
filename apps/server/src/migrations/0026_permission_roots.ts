import { type Kysely, sql } from 'kysely'

/**
 * The secret of each day from which the keys of sessions come that nobody has granted yet: those
 * are not stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statement =
    'create table permission_roots (day integer primary key, wrapped bytea not null)'
  await sql.raw(statement).execute(db)
}
