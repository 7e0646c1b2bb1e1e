import { type Kysely, sql } from 'kysely'

/**
 * Names of accounts below zones of this server, their addresses by coin type, and the signed
 * messages that were used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table names (
    name text primary key,
    zone text not null,
    skeleton text not null,
    owner bytea not null,
    owner_chain text not null,
    confirmed boolean not null,
    attributes jsonb not null,
    registered_at timestamptz not null,
    updated_at timestamptz not null,
    released_at timestamptz
  )`,
  'create unique index names_skeleton on names (zone, skeleton)',
  'create index names_owner on names (owner)',
  `create table name_addresses (
    name text not null references names on delete cascade,
    coin_type bigint not null,
    address bytea not null,
    created_at timestamptz not null,
    primary key (name, coin_type)
  )`,
  `create table name_messages (
    hash bytea primary key,
    expires_at timestamptz not null
  )`,
  'create index name_messages_expired on name_messages (expires_at)',
]
