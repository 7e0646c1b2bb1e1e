import { type Kysely, sql } from 'kysely'

/**
 * Adds the setting that lets the listed pages of a project, and not only the secure frame, take the
 * codes of logins.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column otp_surface text not null default 'frame'
    check (otp_surface in ('frame', 'host'))`.execute(db)
}
