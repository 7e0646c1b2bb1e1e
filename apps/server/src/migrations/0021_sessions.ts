import { type Kysely, sql } from 'kysely'

/**
 * Smart sessions: the permissions that an account gives a page, the server's key for them, and the
 * amounts signed from their allowances.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table permission_sessions (
    pci text primary key,
    project_id text not null,
    origin text,
    chain_id text not null,
    account text not null,
    expiry bigint not null,
    signer text not null,
    permissions text not null,
    delegate text not null,
    key_wrapped bytea not null,
    key_sealed bytea not null,
    created_at timestamptz not null,
    activated_at timestamptz,
    revoked_at timestamptz
  )`,
  'create index permission_sessions_account on permission_sessions (account, chain_id)',
  'create index permission_sessions_pending on permission_sessions (created_at) where activated_at is null',
  `create table permission_uses (
    pci text not null references permission_sessions (pci) on delete cascade,
    index integer not null,
    period bigint not null,
    operation text not null,
    amount numeric not null,
    primary key (pci, operation, index)
  )`,
  'create index permission_uses_period on permission_uses (pci, index, period)',
]
