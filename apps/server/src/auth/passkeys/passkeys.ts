import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'

const dayMs = 24 * 3_600_000
/** How long codes stay insufficient after a user reports that no passkey can be used. */
export const lostDelayMs = dayMs
/** How long codes are then enough. */
const lostForMs = 7 * dayMs
/**
 * The age from which a passkey can remove an older address or sign-in: as long as a change of the
 * address can be undone.
 */
const olderDelayMs = 3 * dayMs

/**
 * The passkeys of users that count: registered here, and a way to recover the wallet. A passkey
 * that a thief of the mailbox registered before the wallet existed does not count, and neither does
 * a passkey that was removed from the wallet.
 */
export const selectPasskeys = (db: Kysely<Database>) =>
  db
    .selectFrom('passkeys')
    .innerJoin('wallets', 'wallets.user_id', 'passkeys.user_id')
    .innerJoin('recovery_factors', (join) =>
      join
        .onRef('recovery_factors.wallet_id', '=', 'wallets.id')
        .onRef('recovery_factors.credential_id', '=', 'passkeys.credential_id'),
    )

type Which = 'all' | 'current' | 'old'

/**
 * The ids of a user's passkeys: all that count, only those that recover the wallet in use, or only
 * those that are old enough to remove an older address or sign-in. A code adds a passkey, so an
 * attacker with the mailbox could otherwise remove the owner's sign-ins at once.
 */
export async function readPasskeys(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  userId: string,
  which: Which = 'all',
): Promise<string[]> {
  const rows = await selectPasskeys(db)
    .select('passkeys.credential_id')
    .where('passkeys.user_id', '=', userId)
    .$if(which === 'current', (rows) => rows.where('wallets.place', '=', 'current'))
    .$if(which === 'old', (rows) => rows.where(isOld(clock())))
    .execute()
  return rows.map(({ credential_id }) => credential_id)
}

/**
 * Counts from the later of the registration and the enrollment as a recovery method, because the
 * owner sees the later date.
 */
const isOld = (nowMs: number) => {
  const before = new Date(nowMs - olderDelayMs)
  return sql<boolean>`greatest(passkeys.created_at, recovery_factors.created_at) <= ${before}`
}

/**
 * Whether only a passkey (or, for some actions, only an `old` passkey) confirms the actions of a
 * user: a passkey counts, and no loss that was reported a day ago is in effect.
 */
export async function needsPasskey(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  userId: string,
  which: Which = 'all',
): Promise<boolean> {
  const row = await selectPasskeys(db)
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select('users.passkey_lost_at')
    .where('passkeys.user_id', '=', userId)
    .$if(which === 'old', (rows) => rows.where(isOld(clock())))
    .executeTakeFirst()
  if (row === undefined) return false
  const sinceMs = clock() - (row.passkey_lost_at?.getTime() ?? Number.POSITIVE_INFINITY)
  return sinceMs < lostDelayMs || sinceMs >= lostDelayMs + lostForMs
}
