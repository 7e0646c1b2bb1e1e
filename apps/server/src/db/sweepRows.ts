import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Deletes the rows of a table that have expired. Those that somebody else has locked are left for
 * the next time: a transaction that locks several of them in its own order would otherwise end in a
 * deadlock.
 */
export async function sweepRows(
  db: Kysely<Database>,
  table: keyof Database,
  hasExpired: RawBuilder<unknown>,
): Promise<void> {
  const rows = sql.table(table)
  await sql`
    delete from ${rows} where ctid = any(array(
      select ctid from ${rows} where ${hasExpired} for update skip locked))`.execute(db)
}
