import { type Kysely, sql } from 'kysely'

/** The source of an order, so that the orders of one source cannot delay the orders of another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table onramp_orders add column source smallint not null default 0`.execute(db)
}
