import { type Kysely, sql } from 'kysely'

/**
 * Logins at other providers. An identity is an issuer and a subject, stored as a keyed hash; it
 * never belongs to an account because of an email address, and an account may have no email
 * address.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table users alter column email_index drop not null',
  'alter table users alter column email_sealed drop not null',
  `create table identities (
    id uuid primary key,
    identity_index bytea not null unique,
    user_id uuid not null references users on delete cascade,
    provider text not null,
    name_sealed bytea not null,
    created_at timestamptz not null
  )`,
  'create index identities_user on identities (user_id)',
  `create table social_logins (
    hash bytea primary key,
    purpose text not null check (purpose in ('login', 'step-up', 'link')),
    action text,
    provider text not null,
    session_id uuid references sessions on delete cascade,
    jkt text not null,
    origin text not null,
    project_id text not null,
    browser text not null,
    challenge_hash bytea,
    cookie_hash bytea unique,
    confirmed_at timestamptz,
    redirected_at timestamptz,
    answered_at timestamptz,
    outcome text check (outcome in ('done', 'refused', 'failed')),
    identity_index bytea,
    name_sealed bytea,
    finished_at timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
]
