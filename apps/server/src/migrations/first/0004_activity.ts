import { type Kysely, sql } from 'kysely'

/**
 * The activity of the requested accounts. An account is one address on one chain. `todo` contains
 * its blocks that are not scanned yet; progress is committed together with the rows that it found.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table activity_chains (
    chain_id text primary key,
    holder uuid,
    held_until timestamptz not null default 'epoch',
    seen_at timestamptz not null default 'epoch',
    generation bigint not null default 0,
    genesis bytea,
    head bigint,
    head_ms bigint
  )`,
  // The latest scanned blocks, to find the fork point after a reorganization.
  `create table activity_blocks (
    chain_id text not null references activity_chains on delete cascade,
    number bigint not null,
    hash bytea not null,
    mined_ms bigint not null,
    primary key (chain_id, number)
  )`,
  `create table activity_accounts (
    id integer primary key generated always as identity,
    chain_id text not null,
    address bytea not null,
    asked_at timestamptz not null,
    watched_at timestamptz not null default 'epoch',
    live boolean not null default false,
    first_block bigint,
    seen_to bigint,
    todo int8multirange not null default '{}',
    since_ms bigint,
    bottom_ms bigint,
    unique (chain_id, address)
  )`,
  `create index activity_accounts_asked on activity_accounts (chain_id, asked_at)`,
  `create table activity_rows (
    account_id integer not null,
    mined_ms bigint not null,
    block bigint not null,
    index integer not null,
    hash bytea not null,
    sender bytea not null,
    recipient bytea,
    created bytea,
    nonce bigint not null,
    value numeric(78) not null,
    fee numeric(78),
    selector bytea,
    failed boolean not null,
    primary key (account_id, mined_ms, block, index)
  )`,
  `create table activity_transfers (
    account_id integer not null,
    block bigint not null,
    index integer not null,
    position integer not null,
    standard smallint not null,
    contract bytea not null,
    sender bytea not null,
    recipient bytea not null,
    token_id numeric(78),
    amount numeric(78) not null,
    mined_ms bigint not null,
    primary key (account_id, block, index, position)
  )`,
  `create index activity_transfers_token on activity_transfers (account_id, contract, block)
    where standard = 20`,
  `create index activity_transfers_nft on activity_transfers (account_id, contract, token_id)
    where standard <> 20`,
]
