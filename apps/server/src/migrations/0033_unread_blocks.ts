import { type Kysely, sql } from 'kysely'

/**
 * Blocks from which some data of an account could not be read. Also the time of the latest such
 * block, the time of the next attempt, and the number of failures in a row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table activity_accounts add column unread int8multirange not null default '{}',
    add column unread_ms bigint, add column unread_at timestamptz, add column unread_tries integer not null default 0`,
  `create index activity_accounts_unread on activity_accounts (chain_id, unread_at)
    where unread <> '{}'`,
]
