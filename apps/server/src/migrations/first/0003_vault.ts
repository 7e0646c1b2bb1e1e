import { type Kysely, sql } from 'kysely'

/**
 * Wallets, the server's shares of their keys, recovery, and the log of their events. Shares are
 * stored encrypted with the user's data key, which is encrypted with the key of the KMS. Times come
 * from the server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table vault_users (
    user_id uuid primary key references users on delete cascade,
    key_wrapped bytea not null,
    key_id text not null,
    created_at timestamptz not null
  )`,
  `create table wallets (
    id text primary key,
    user_id uuid not null references users on delete cascade,
    realm text not null,
    epoch integer not null,
    eip155 text not null,
    solana text not null,
    recovery_key text not null,
    manifest text not null,
    manifest_signature text not null,
    manifest_version integer not null,
    sealed_seed jsonb not null,
    created_at timestamptz not null,
    unique (user_id, realm)
  )`,
  `create table wallet_changes (
    id text primary key,
    wallet_id text not null,
    user_id uuid not null references users on delete cascade,
    realm text not null,
    device_id uuid not null references devices on delete cascade,
    creates boolean not null,
    digest bytea not null,
    body jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    committed_at timestamptz
  )`,
  `create unique index wallet_changes_creation on wallet_changes (user_id, realm) where creates`,
  `create index wallet_changes_expiry on wallet_changes (expires_at)`,
  `create table wallet_slots (
    wallet_id text not null references wallets on delete cascade,
    slot text not null,
    change_id text not null,
    epoch integer not null,
    share_sealed bytea not null,
    sealed_recovery jsonb not null,
    sealed_device jsonb,
    device_key text,
    created_at timestamptz not null,
    used_at timestamptz not null,
    primary key (wallet_id, slot)
  )`,
  `create table recovery_factors (
    id text primary key,
    wallet_id text not null references wallets on delete cascade,
    kind text not null check (kind in ('passkey', 'kit', 'operator')),
    wrap jsonb,
    credential_id text,
    label text,
    operator_sealed bytea,
    operator_key_wrapped bytea,
    created_at timestamptz not null
  )`,
  `create index recovery_factors_wallet on recovery_factors (wallet_id)`,
  `create table operator_recoveries (
    id text primary key,
    wallet_id text not null references wallets on delete cascade,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    cancel_hash bytea not null unique,
    created_at timestamptz not null,
    ready_at timestamptz not null,
    cancelled_at timestamptz,
    released_at timestamptz
  )`,
  `create index operator_recoveries_wallet on operator_recoveries (wallet_id)`,
  `create table enrollments (
    id text primary key,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    device_key text not null,
    commitment text not null,
    nonce text,
    met_by uuid references devices on delete cascade,
    met_nonce text,
    change_id text,
    refused_at timestamptz,
    expires_at timestamptz not null
  )`,
  `create index enrollments_user on enrollments (user_id)`,
  `create table audit (
    sequence bigint primary key,
    at timestamptz not null,
    subject text not null,
    device_id text,
    action text not null,
    detail text not null,
    hash bytea not null
  )`,
  `create index audit_subject on audit (subject, sequence)`,
  `create table audit_head (
    one boolean primary key check (one),
    sequence bigint not null,
    hash bytea not null,
    mac bytea not null
  )`,
  `create table kms_keys (id text primary key, fingerprint bytea not null)`,
]
