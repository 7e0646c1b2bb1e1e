import { type Kysely, sql } from 'kysely'

/**
 * Stores the block by which the chain had a session, and indexes sessions by the account of the
 * server's key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table permission_sessions add column granted_block bigint',
  'create index permission_sessions_delegate on permission_sessions (delegate)',
]
