import { randomUUID } from 'node:crypto'
import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { SocialLogin } from '../tables.ts'

export type Found = SocialLogin & {
  readonly identity_index: Uint8Array
  readonly name_sealed: Uint8Array
}

export const findOwner = (trx: Kysely<Database>, { identity_index }: Found) =>
  trx
    .selectFrom('identities')
    .select('user_id')
    .where('identity_index', '=', identity_index)
    .executeTakeFirst()

/**
 * The identities that are older than the first address of their user, for users who began without
 * an address.
 */
export const selectOlderThanEmail = (trx: Kysely<Database>) =>
  trx
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select('identities.id')
    .whereRef('identities.created_at', '<', 'users.email_added_at')

/**
 * Whether an action takes away the address of a user, or a sign-in from before it. Neither a code
 * nor a later sign-in confirms that. Otherwise an attacker who came in through the mailbox could
 * keep it, or take the account from its owner.
 */
export async function needsOlderSignIn(
  trx: Kysely<Database>,
  { userId, action }: { readonly userId: string; readonly action: string | null },
): Promise<boolean> {
  const [verb, way = ''] = (action ?? '').split(' ')
  if (verb !== 'unlink' || way === 'email') return verb === 'unlink'
  const older = selectOlderThanEmail(trx).where('user_id', '=', userId).where('provider', '=', way)
  return (await older.executeTakeFirst()) !== undefined
}

/** Whether an identity is older than the first address of its user. */
export async function precedesEmail(
  trx: Kysely<Database>,
  { identity_index }: Found,
): Promise<boolean> {
  const query = selectOlderThanEmail(trx).where('identity_index', '=', identity_index)
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * The user of an identity, found only by issuer and subject. Two simultaneous first logins get the
 * same user.
 */
export async function findOrCreateUser(
  trx: Kysely<Database>,
  login: Found,
  nowMs: number,
): Promise<string> {
  const known = await findOwner(trx, login)
  if (known) {
    const { name_sealed, identity_index } = login
    await trx
      .updateTable('identities')
      .set({ name_sealed })
      .where('identity_index', '=', identity_index)
      .execute()
    return known.user_id
  }
  const userId = randomUUID()
  const created_at = new Date(nowMs)
  await trx
    .insertInto('users')
    .values({ id: userId, email_index: null, email_sealed: null, created_at, undo_until: null })
    .execute()
  if (await insertIdentity(trx, { login, userId, nowMs })) return userId
  await trx.deleteFrom('users').where('id', '=', userId).execute()
  const other = await findOwner(trx, login)
  if (other === undefined) throw new LatchkeyError('LOGIN_ENDED')
  return other.user_id
}

export type Owned = { readonly login: Found; readonly userId: string }

export async function insertIdentity(
  trx: Kysely<Database>,
  { login, userId, nowMs }: Owned & { readonly nowMs: number },
): Promise<boolean> {
  const { identity_index, name_sealed, provider } = login
  const id = randomUUID()
  const created_at = new Date(nowMs)
  const inserted = await trx
    .insertInto('identities')
    .values({ id, identity_index, user_id: userId, provider, name_sealed, created_at })
    .onConflict((conflict) => conflict.column('identity_index').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}
