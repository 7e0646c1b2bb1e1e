import { type Kysely, sql } from 'kysely'

/**
 * Blocks of an account in which the account's native balance was compared with the account's rows
 * (`weighed`), and the balance at the end of such a block. A row with `since_block` is not a
 * transaction: the balance changed after that block, up to the block of the row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table activity_accounts add column weighed int8multirange not null default '{}',
    add column balance numeric(78), add column balance_block bigint`,
  'alter table activity_rows add column since_block bigint',
]
