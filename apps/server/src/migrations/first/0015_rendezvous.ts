import { type Kysely, sql } from 'kysely'

/** Sealed messages between a frame and our own window that cannot reach each other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table rendezvous (
    hash bytea primary key,
    jkt text not null,
    question text not null,
    answer text,
    taken_at timestamptz,
    expires_at timestamptz not null
  )`.execute(db)
}
