import type { Auth } from '../auth.ts'

const newMs = 10 * 60_000

/**
 * Whether a user's recovery method would be the first of a wallet that is less than ten minutes
 * old. A browser that holds the wallet adds it without a confirmation, as when a wallet is made.
 */
export async function isFirstFactor(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  userId: string,
): Promise<boolean> {
  const wallet = await db
    .selectFrom('wallets')
    .leftJoin('recovery_factors', 'recovery_factors.wallet_id', 'wallets.id')
    .select('wallets.id')
    .where('wallets.user_id', '=', userId)
    .where('wallets.place', '=', 'current')
    .where('wallets.created_at', '>', new Date(clock() - newMs))
    .where('recovery_factors.id', 'is', null)
    .executeTakeFirst()
  return wallet !== undefined
}
