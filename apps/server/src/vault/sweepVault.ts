import type { Vault } from './vault.ts'

const retentionMs = 24 * 3_600_000

/** Shreds what was prepared and never committed, and what is long over. */
export async function sweepVault({ db, clock }: Pick<Vault, 'db' | 'clock'>): Promise<void> {
  const nowMs = clock()
  await db
    .deleteFrom('wallet_changes')
    .where('expires_at', '<=', new Date(nowMs))
    .where('committed_at', 'is', null)
    .execute()
  // For a while a commit that is sent again finds that it was done; the shares are in the slots by then.
  await db
    .deleteFrom('wallet_changes')
    .where('expires_at', '<=', new Date(nowMs - retentionMs))
    .execute()
  await db
    .deleteFrom('enrollments')
    .where('expires_at', '<=', new Date(nowMs - retentionMs))
    .execute()
}
