import { type Kysely, sql } from 'kysely'

/**
 * Migrations: a user's second wallet, which of the two is in use, signatures of the previous
 * wallets, and the wallet that a new device requests.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table wallets add column place text default 'current', add column drop_at timestamptz`,
  'create unique index wallets_place on wallets (user_id, place)',
  `create table wallet_moves (
    user_id uuid not null references users on delete cascade,
    from_wallet text not null,
    body jsonb not null,
    created_at timestamptz not null,
    primary key (user_id, from_wallet)
  )`,
  'alter table enrollments add column realm text',
]
