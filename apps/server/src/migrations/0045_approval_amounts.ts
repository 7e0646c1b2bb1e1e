import { type Kysely, sql } from 'kysely'

/**
 * How much an approval allows, and whether someone else paid for an account's user operation. Both
 * stay unknown for what was read before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table activity_approvals add column amount numeric(78)',
  'alter table activity_rows add column sponsored boolean not null default false',
]
