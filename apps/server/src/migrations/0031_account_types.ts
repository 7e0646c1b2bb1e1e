import { type Kysely, sql } from 'kysely'

/**
 * How the account of each wallet sends. Null for wallets from before, and for those that older
 * pages create.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table wallets add column account_type text').execute(db)
}
