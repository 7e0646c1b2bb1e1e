import { type Kysely, sql } from 'kysely'

/**
 * The account type of each wallet, which decides how it sends. Null for older wallets and for
 * wallets that older pages create.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table wallets add column account_type text').execute(db)
}
