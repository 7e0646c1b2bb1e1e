import { type Kysely, sql } from 'kysely'

/**
 * Transactions of accounts on Solana, read in pages: the requested accounts, the progress of each
 * list, and the rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table solana_accounts (
    id integer primary key generated always as identity,
    chain_id text not null,
    address text not null,
    refreshed_at timestamptz,
    unique (chain_id, address)
  )`,
  `create table solana_lists (
    account_id integer not null references solana_accounts on delete cascade,
    address text not null,
    newest text,
    oldest text,
    oldest_slot bigint,
    complete boolean not null default false,
    primary key (account_id, address)
  )`,
  `create table solana_transactions (
    account_id integer not null references solana_accounts on delete cascade,
    slot bigint not null,
    signature text collate "C" not null,
    mined_ms bigint not null,
    failed boolean not null,
    final boolean not null,
    facts jsonb,
    primary key (account_id, slot, signature)
  )`,
]
