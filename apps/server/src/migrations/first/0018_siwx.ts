import { type Kysely, sql } from 'kysely'

/** Signing in with a wallet: issued nonces, and sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table siwx_nonces (
    nonce text primary key,
    project_id text not null,
    origin text not null,
    account text,
    expires_at timestamptz not null
  )`,
  'create index siwx_nonces_expired on siwx_nonces (expires_at)',
  `create table siwx_sessions (
    id text primary key,
    secret_hash bytea not null unique,
    project_id text not null,
    origin text not null,
    account text not null,
    chain_id text not null,
    address text not null,
    csrf text,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index siwx_sessions_account on siwx_sessions (project_id, account)',
  'create index siwx_sessions_expired on siwx_sessions (expires_at)',
]
