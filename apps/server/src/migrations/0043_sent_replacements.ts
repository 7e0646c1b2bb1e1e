import { type Kysely, sql } from 'kysely'

/**
 * An operation in a bundle that no block has taken yet can be replaced: one operation of a nonce is
 * `pending`, and others may be `sent`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'drop index user_operations_nonce',
  `create unique index user_operations_nonce on user_operations (chain_id, sender, nonce)
    where status = 'pending'`,
  `create index user_operations_sent on user_operations (chain_id, sender, nonce)
    where status = 'sent'`,
]
