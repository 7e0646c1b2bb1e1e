import { type Kysely, sql } from 'kysely'

/** Where the codes of a project's logins are typed: into the secure frame, or also into the pages that the project lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column otp_surface text not null default 'frame'
    check (otp_surface in ('frame', 'host'))`.execute(db)
}
