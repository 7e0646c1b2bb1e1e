import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Deletes the expired rows of a table. Rows that another transaction has locked are left for the
 * next time, because waiting for them could deadlock with a transaction that locks several rows in
 * a different order.
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
