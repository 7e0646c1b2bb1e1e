import { type Kysely, sql } from 'kysely'

/**
 * How well established a followed account is: 0 if nothing is known, 1 if a client requested it
 * within the client's share, 2 if that happened on several days. `stood_at` is when that was last
 * decided, for the client whose hashes are `asked_by` and `asked_near`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table activity_accounts add column standing smallint not null default 0,
    add column stood_at timestamptz not null default 'epoch',
    add column asked_by integer, add column asked_near integer`,
  // Accounts from before are not to be worse off than new ones.
  'update activity_accounts set standing = 2, stood_at = asked_at',
  `create index activity_accounts_by on activity_accounts (chain_id, asked_by, stood_at)
    where asked_by is not null`,
  `create index activity_accounts_near on activity_accounts (chain_id, asked_near, stood_at)
    where asked_near is not null`,
  'create index wallets_eip155 on wallets (lower(eip155))',
]
