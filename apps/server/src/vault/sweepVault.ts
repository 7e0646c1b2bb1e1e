import type { Vault } from './vault.ts'

const retentionMs = 24 * 3_600_000

/** Deletes changes that were prepared and never committed, and everything that expired long ago. */
export async function sweepVault({ db, clock }: Pick<Vault, 'db' | 'clock'>): Promise<void> {
  const nowMs = clock()
  await db
    .deleteFrom('wallet_changes')
    .where('expires_at', '<=', new Date(nowMs))
    .where('committed_at', 'is', null)
    .execute()
  // Keep the row for a while, so that a repeated commit finds that it succeeded. Its shares are in the slots by then.
  await db
    .deleteFrom('wallet_changes')
    .where('expires_at', '<=', new Date(nowMs - retentionMs))
    .execute()
  await db
    .deleteFrom('enrollments')
    .where('expires_at', '<=', new Date(nowMs - retentionMs))
    .execute()
}
