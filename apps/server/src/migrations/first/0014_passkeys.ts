import { type Kysely, sql } from 'kysely'

/** Passkeys that the server verifies. Older passkeys recover the wallet and are not among them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table passkeys (
    credential_id text primary key,
    user_id uuid not null references users on delete cascade,
    user_handle bytea not null,
    public_key bytea not null,
    counter bigint not null,
    created_at timestamptz not null
  )`,
  'create index passkeys_user on passkeys (user_id)',
  `create table passkey_challenges (
    hash bytea primary key,
    purpose text not null check (purpose in ('register', 'login', 'step-up')),
    action text,
    jkt text not null,
    session_id uuid references sessions on delete cascade,
    origin text not null,
    project_id text not null,
    user_handle bytea,
    expires_at timestamptz not null
  )`,
  'alter table step_ups add column by_passkey boolean not null default false',
  'alter table users add column passkey_lost_at timestamptz',
]
