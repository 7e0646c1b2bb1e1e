import { type Kysely, sql } from 'kysely'

/**
 * The code that the validation of an operation used; its paymaster, and its highest cost. Null for
 * older operations.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table user_operations add column code jsonb, add column paymaster text, add column prefund numeric;
      create index user_operations_paymaster on user_operations (chain_id, paymaster) where status in ('pending', 'sent')`,
    )
    .execute(db)
}
