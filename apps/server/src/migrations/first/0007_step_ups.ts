import { type Kysely, sql } from 'kysely'

/**
 * Stores a session's step-ups by action, because a code allows only what its mail named. Older
 * step-ups end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table step_ups (
    session_id uuid not null references sessions on delete cascade,
    action text not null,
    expires_at timestamptz not null,
    primary key (session_id, action)
  )`,
  'alter table logins add column action text',
  'alter table sessions drop column step_up_until',
]
