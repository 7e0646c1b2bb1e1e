import { type Kysely, sql } from 'kysely'

/**
 * From which source an order was begun, so that those of one source cannot delay those of another.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table onramp_orders add column source smallint not null default 0`.execute(db)
}
