import { sql } from 'kysely'
import type { Auth } from '../auth.ts'
import type { StoredLogin } from './session.ts'

/** Enough for a user who continues with the backup. Codes in mails are valid as long. */
const firstFactorMs = 10 * 60_000

/**
 * Until when a recovery method would be the first of a wallet that this session has just made. The
 * session adds it without a confirmation, as when a wallet is made. Otherwise undefined.
 */
export async function readFirstFactor(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  { id, userId, deviceId }: Pick<StoredLogin, 'id' | 'userId' | 'deviceId'>,
): Promise<number | undefined> {
  const wallet = await db
    .selectFrom('wallets')
    .innerJoin('wallet_changes', 'wallet_changes.wallet_id', 'wallets.id')
    .innerJoin('sessions', 'sessions.device_id', 'wallet_changes.device_id')
    .leftJoin('recovery_factors', 'recovery_factors.wallet_id', 'wallets.id')
    .select('wallets.created_at')
    .where('wallets.user_id', '=', userId)
    .where('wallets.place', '=', 'current')
    .where('wallets.created_at', '>', new Date(clock() - firstFactorMs))
    .where('recovery_factors.id', 'is', null)
    // The change that made the wallet, by this browser.
    .where('wallet_changes.device_id', '=', deviceId)
    .where('wallet_changes.committed_at', 'is not', null)
    .where(sql<boolean>`wallet_changes.body ->> 'manifestVersion' = '1'`)
    // A later login in the same browser is another session.
    .where('sessions.id', '=', id)
    .whereRef('sessions.created_at', '<=', 'wallets.created_at')
    .executeTakeFirst()
  return wallet && wallet.created_at.getTime() + firstFactorMs
}
