import { type Kysely, sql } from 'kysely'

/**
 * The block in which a bundle was mined, so that the bundle is sent again if the block leaves the
 * chain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_operation_bundles add column block_number bigint`.execute(db)
  await sql`create index user_operation_bundles_mined on user_operation_bundles (chain_id, block_number)
    where settled and block_number is not null`.execute(db)
}
