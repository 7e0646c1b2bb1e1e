import { sql } from 'kysely'
import { sweepRows } from '../db/sweepRows.ts'
import type { Vault } from './vault.ts'

const retentionMs = 24 * 3_600_000

/** Deletes changes that were prepared and never committed, and everything that expired long ago. */
export async function sweepVault({ db, clock }: Pick<Vault, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock())
  const before = new Date(clock() - retentionMs)
  await sweepRows(db, 'wallet_changes', sql`expires_at <= ${now} and committed_at is null`)
  // Keep the row for a while, so that a repeated commit finds that it succeeded. Its shares are in
  // the slots by then.
  await sweepRows(db, 'wallet_changes', sql`expires_at <= ${before}`)
  await sweepRows(db, 'enrollments', sql`expires_at <= ${before}`)
}
