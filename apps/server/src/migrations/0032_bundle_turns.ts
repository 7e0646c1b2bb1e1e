import { type Kysely, sql } from 'kysely'

/**
 * When the bundler takes an operation, how a bundle ended, and which accounts and paymasters made
 * bundles fail.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table user_operations add column max_fee numeric, add column together integer,
    add column not_before timestamptz`,
  `create index user_operations_sender on user_operations (chain_id, sender, status)`,
  `alter table user_operation_bundles add column block_hash text, add column lost_gas bigint,
    add column failures integer not null default 0,
    add column look_after timestamptz not null default now()`,
  `create table bundle_offenders (
    chain_id text not null,
    entity text not null,
    strikes integer not null,
    blamed_at timestamptz not null default now(),
    cooled_at timestamptz not null,
    primary key (chain_id, entity)
  )`,
]
