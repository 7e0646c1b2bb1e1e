import { type Kysely, sql } from 'kysely'

/**
 * Until when an action is confirmed by what the account had before its address. A server from
 * before this column confirms nothing so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table step_ups add column older_until timestamptz').execute(db)
}
