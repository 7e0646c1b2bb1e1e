import { type Kysely, sql } from 'kysely'

/**
 * The mempool of the server's bundler: user operations, the signed bundles that contain them, the
 * allowed senders, and the sponsored amounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table user_operations (
    chain_id text not null,
    hash text not null,
    sender text not null,
    nonce text not null,
    operation jsonb not null,
    max_priority_fee text not null,
    status text not null,
    bundle_hash text,
    reason text,
    tries integer not null default 0,
    created_at timestamptz not null default now(),
    changed_at timestamptz not null default now(),
    primary key (chain_id, hash)
  )`,
  `create unique index user_operations_nonce on user_operations (chain_id, sender, nonce)
    where status in ('pending', 'sent')`,
  `create index user_operations_waiting on user_operations (chain_id, status)
    where status in ('pending', 'sent')`,
  `create table user_operation_bundles (
    chain_id text not null,
    hash text not null,
    raw text not null,
    nonce integer not null,
    settled boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (chain_id, hash)
  )`,
  `create index user_operation_bundles_open on user_operation_bundles (chain_id) where not settled`,
  `create table bundler_leases (
    chain_id text primary key,
    holder text not null,
    held_until timestamptz not null
  )`,
  `create table sponsored_days (
    chain_id text not null,
    account text not null,
    day date not null,
    wei numeric not null,
    primary key (chain_id, account, day)
  )`,
]
