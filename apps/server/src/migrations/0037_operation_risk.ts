import { type Kysely, sql } from 'kysely'

/**
 * How long an operation is valid, the gas that is lost if its validation fails in a block, and the
 * gas that it paid for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_operations add column valid_until numeric, add column risked_gas numeric,
    add column paid_gas numeric`.execute(db)
}
