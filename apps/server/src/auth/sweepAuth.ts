import { sql } from 'kysely'
import type { Auth } from './auth.ts'

const dayMs = 24 * 3_600_000

/** Deletes what has expired: proofs, logins, codes, changes, tokens, and events that no longer limit anything. */
export async function sweepAuth({ db, clock }: Pick<Auth, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock())
  const before = new Date(clock() - dayMs)
  await db.deleteFrom('proofs').where('expires_at', '<', now).execute()
  await db.deleteFrom('logins').where('expires_at', '<', now).execute()
  await db.deleteFrom('social_logins').where('expires_at', '<', now).execute()
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute()
  await db.deleteFrom('rendezvous').where('expires_at', '<', now).execute()
  await db.deleteFrom('codes').where('expires_at', '<', before).execute()
  await db.deleteFrom('email_changes').where('expires_at', '<', now).execute()
  await db.deleteFrom('email_undos').where('expires_at', '<', now).execute()
  await db.deleteFrom('known_devices').where('expires_at', '<', now).execute()
  await db.deleteFrom('sessions').where('ends_at', '<', before).execute()
  await db.deleteFrom('step_ups').where('expires_at', '<', now).execute()
  await db.deleteFrom('session_tokens').where('expires_at', '<', now).execute()
  await sql`
    delete from budgets
    where not exists (select 1 from unnest(spent) at where at > ${before}::timestamptz)`.execute(db)
}
