import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'

const dayMs = 24 * 3_600_000
/** How long after a report that no passkey can be used codes are not enough yet. */
export const lostDelayMs = dayMs
/** How long they are enough then. */
const lostForMs = 7 * dayMs
/**
 * After how long a passkey takes away an address or a sign-in from before it: as long as a change
 * of the address can be undone.
 */
const olderDelayMs = 3 * dayMs

/**
 * The passkeys of users that count: registered here, and a way to recover the wallet. A passkey
 * that a thief of the mailbox registered before there was a wallet does not count, nor does one
 * that was removed from the wallet.
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
 * The ids of a user's passkeys that count, of those that recover the wallet in use, or of those
 * that are old enough to take away the address or a sign-in from before it: a code adds a passkey,
 * so whoever has the mailbox would otherwise remove the owner's ways at once.
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

/** Since its registration, and since it is a way of recovery, which is what the owner sees. */
const isOld = (nowMs: number) => {
  const before = new Date(nowMs - olderDelayMs)
  return sql<boolean>`greatest(passkeys.created_at, recovery_factors.created_at) <= ${before}`
}

/**
 * Whether only a passkey confirms the actions of a user, or those that need an `old` one: there is
 * one that counts, and its loss was not reported a day ago.
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
