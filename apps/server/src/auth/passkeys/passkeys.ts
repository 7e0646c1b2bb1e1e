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

/** Whether a passkey recovers a wallet of its user, which fulfills `more`. */
const isFactor = (more = sql<boolean>`true`) => sql<boolean>`exists (
  select from recovery_factors join wallets on wallets.id = recovery_factors.wallet_id
  where wallets.user_id = passkeys.user_id
  and recovery_factors.credential_id = passkeys.credential_id and ${more}
)`

/** Whether a passkey began the account, and no passkey recovers its wallet. */
const isFirst = sql<boolean>`passkeys.began_account and not exists (
  select from passkeys other
  join recovery_factors on recovery_factors.credential_id = other.credential_id
  join wallets on wallets.id = recovery_factors.wallet_id
  where other.user_id = passkeys.user_id and wallets.user_id = passkeys.user_id
)`

/**
 * The passkeys of users that count: registered here, and a way to recover the wallet. A passkey
 * that a thief of the mailbox registered before the wallet existed does not count, and neither does
 * a passkey that was removed from the wallet. The passkey that began an account also counts if it
 * cannot recover the wallet, until another passkey does: it may be the only way to sign in.
 */
export const selectPasskeys = (db: Kysely<Database>) =>
  db.selectFrom('passkeys').where(sql<boolean>`(${isFactor()} or (${isFirst}))`)

type Which = 'all' | 'current' | 'first' | 'old'

/**
 * The ids of a user's passkeys: all that count, or fewer. `first` began the account, while no
 * passkey recovers the wallet; `current` adds those that recover the wallet in use. `old` are those
 * that are old enough to remove an older address or sign-in: a code adds a passkey, so an attacker
 * with the mailbox could otherwise remove the owner's sign-ins at once.
 */
export async function readPasskeys(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  userId: string,
  which: Which = 'all',
): Promise<string[]> {
  const rows = await selectPasskeys(db)
    .select('passkeys.credential_id')
    .where('passkeys.user_id', '=', userId)
    .$if(which === 'current', (rows) =>
      rows.where(
        sql<boolean>`(${isFactor(sql<boolean>`wallets.place = 'current'`)} or (${isFirst}))`,
      ),
    )
    .$if(which === 'first', (rows) => rows.where(isFirst))
    .$if(which === 'old', (rows) => rows.where(isOld(clock())))
    .execute()
  return rows.map(({ credential_id }) => credential_id)
}

/**
 * Counts from the later of the registration and the enrollment as a recovery method, because the
 * owner sees the later date. The passkey that began an account is older than all that was added.
 */
const isOld = (nowMs: number) => {
  const before = new Date(nowMs - olderDelayMs)
  const later = sql<Date>`greatest(passkeys.created_at, recovery_factors.created_at)`
  const isDue = sql<boolean>`${later} <= ${before}`
  return sql<boolean>`(passkeys.began_account or ${isFactor(isDue)})`
}

/** Whether a passkey that counts began the account. */
export async function beganWithPasskey(db: Kysely<Database>, userId: string): Promise<boolean> {
  const found = await selectPasskeys(db)
    .select('passkeys.credential_id')
    .where('passkeys.user_id', '=', userId)
    .where('passkeys.began_account', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Ends the sign-in of passkeys that no longer recover the wallet, if the account has an address or
 * another sign-in. Otherwise no one could sign in.
 */
export async function retirePasskeys(
  trx: Kysely<Database>,
  { userId, credentialIds }: { readonly userId: string; readonly credentialIds: readonly string[] },
): Promise<void> {
  if (credentialIds.length === 0) return
  await trx
    .updateTable('passkeys')
    .set({ began_account: false })
    .where('user_id', '=', userId)
    .where('credential_id', 'in', credentialIds)
    .where(
      sql<boolean>`(
        exists (select from users where users.id = ${userId} and email_index is not null)
        or exists (select from identities where identities.user_id = ${userId})
      )`,
    )
    .execute()
}

/**
 * Whether an account of a wallet has no address and no sign-in at a provider, only the passkey that
 * began it. Other addresses, also unknown ones, have not.
 */
export async function hasPasskeyAlone(db: Kysely<Database>, eip155: string): Promise<boolean> {
  const found = await db
    .selectFrom('wallets')
    .innerJoin('users', 'users.id', 'wallets.user_id')
    .leftJoin('identities', 'identities.user_id', 'users.id')
    .select('users.id')
    .where(sql<string>`lower(wallets.eip155)`, '=', eip155.toLowerCase())
    .where('users.email_index', 'is', null)
    .where('identities.id', 'is', null)
    .executeTakeFirst()
  return found !== undefined
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
