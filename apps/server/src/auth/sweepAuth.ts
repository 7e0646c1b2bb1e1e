import { sql } from 'kysely'
import { sweepRows } from '../db/sweepRows.ts'
import type { Auth } from './auth.ts'

const dayMs = 24 * 3_600_000

/**
 * Deletes what has expired: proofs, logins, codes, changes, tokens, and events outside of all limit
 * windows.
 */
export async function sweepAuth({ db, clock }: Pick<Auth, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock())
  const before = new Date(clock() - dayMs)
  const hasExpired = sql`expires_at < ${now}`
  await sweepRows(db, 'proofs', hasExpired)
  await sweepRows(db, 'logins', hasExpired)
  await sweepRows(db, 'social_logins', hasExpired)
  await sweepRows(db, 'passkey_challenges', hasExpired)
  await sweepRows(db, 'rendezvous', hasExpired)
  await sweepRows(db, 'codes', sql`expires_at < ${before}`)
  await sweepRows(db, 'email_changes', hasExpired)
  await sweepRows(db, 'email_undos', hasExpired)
  await sweepRows(db, 'known_devices', hasExpired)
  await sweepRows(db, 'step_ups', hasExpired)
  await sweepRows(db, 'session_tokens', hasExpired)
  await sweepRows(db, 'sessions', sql`ends_at < ${before}`)
  const isSpent = sql`exists (select 1 from unnest(spent) at where at > ${before}::timestamptz)`
  await sweepRows(db, 'budgets', sql`not ${isSpent}`)
}
