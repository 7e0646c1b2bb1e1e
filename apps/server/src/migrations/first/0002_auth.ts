import { type Kysely, sql } from 'kysely'

/**
 * Users, their devices and sessions, logins and email changes in progress, and their limits.
 * Secrets are stored only as hashes, and email addresses only encrypted and as a keyed index. Times
 * come from the server, never from the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table users (
    id uuid primary key,
    email_index bytea not null unique,
    email_sealed bytea not null,
    created_at timestamptz not null,
    undo_until timestamptz
  )`,
  `create table devices (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    jkt text not null,
    name text not null,
    browser text not null,
    origin text not null,
    project_id text not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    revoked_at timestamptz
  )`,
  `create unique index devices_live on devices (user_id, jkt) where revoked_at is null`,
  `create table sessions (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    created_at timestamptz not null,
    used_at timestamptz not null,
    ends_at timestamptz not null,
    ended_at timestamptz,
    step_up_until timestamptz,
    recovery_until timestamptz
  )`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_device on sessions (device_id)`,
  `create table session_tokens (
    hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    kind text not null check (kind in ('access', 'refresh')),
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index session_tokens_session on session_tokens (session_id)`,
  `create table known_devices (
    hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    origin text not null,
    project_id text not null,
    expires_at timestamptz not null
  )`,
  `create index known_devices_user on known_devices (user_id)`,
  `create index known_devices_device on known_devices (device_id)`,
  `create table logins (
    hash bytea primary key,
    purpose text not null,
    email_index bytea not null,
    email_sealed bytea not null,
    session_id uuid references sessions on delete cascade,
    jkt text not null,
    origin text not null,
    project_id text not null,
    browser text not null,
    match_code text not null,
    known_hash bytea,
    link_hash bytea unique,
    link_tries integer not null default 0,
    link_expires_at timestamptz,
    approved_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table codes (
    tx_hash bytea not null,
    step text not null,
    code_hash bytea not null,
    attempts integer not null default 0,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    primary key (tx_hash, step)
  )`,
  `create table email_changes (
    hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    session_id uuid not null references sessions on delete cascade,
    old_index bytea not null,
    new_index bytea not null,
    new_sealed bytea not null,
    step text not null check (step in ('primary', 'secondary', 'done')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table email_undos (
    hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    old_index bytea not null,
    old_sealed bytea not null,
    changed_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index email_undos_index on email_undos (old_index)`,
  `create table budgets (
    scope text not null,
    subject bytea not null,
    spent timestamptz[] not null,
    primary key (scope, subject)
  )`,
  `create table proofs (hash bytea primary key, expires_at timestamptz not null)`,
]
