import { type Kysely, sql } from 'kysely'

/** Where a bundle was mined, so that one whose block left the chain is sent again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_operation_bundles add column block_number bigint`.execute(db)
  await sql`create index user_operation_bundles_mined on user_operation_bundles (chain_id, block_number)
    where settled and block_number is not null`.execute(db)
}
