import { type Db, mainRealm, type Vault } from '../vault.ts'
import { gcmOpen, gcmSeal } from './gcm.ts'

/** The key that encrypts all data of one user. Without it, none of that data can be decrypted. */
export type UserKey = { readonly key: Uint8Array; readonly userId: string }

export const getKmsContext = (userId: string) =>
  ({ purpose: 'auth-share', userId, realm: mainRealm }) as const

/** The user's key, if it exists. Throws `VAULT_UNAVAILABLE`. */
export async function readUserKey(
  db: Db,
  { kms }: Pick<Vault, 'kms'>,
  userId: string,
): Promise<UserKey | undefined> {
  const row = await db
    .selectFrom('vault_users')
    .select(['key_wrapped', 'key_id'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return undefined
  const key = await kms.unwrap(row.key_wrapped, getKmsContext(userId))
  const fresh = await kms.rewrap(row.key_wrapped, getKmsContext(userId))
  if (fresh)
    await db
      .updateTable('vault_users')
      .set({ key_wrapped: fresh.wrapped, key_id: fresh.keyId })
      .where('user_id', '=', userId)
      .where('key_id', '=', row.key_id)
      .execute()
  return { key, userId }
}

/** The user's key. Created on first use. */
export async function ensureUserKey(
  vault: Pick<Vault, 'db' | 'kms' | 'clock'>,
  userId: string,
): Promise<UserKey> {
  const found = await readUserKey(vault.db, vault, userId)
  if (found) return found
  const { wrapped, keyId } = await vault.kms.generateDataKey(getKmsContext(userId))
  await vault.db
    .insertInto('vault_users')
    .values({
      user_id: userId,
      key_wrapped: wrapped,
      key_id: keyId,
      created_at: new Date(vault.clock()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const userKey = await readUserKey(vault.db, vault, userId)
  if (!userKey) throw new Error('a key that was just written is missing')
  return userKey
}

/**
 * Binds a ciphertext to its kind and its row: it does not decrypt as another kind or in another
 * row.
 */
export type SealContext = readonly (string | number)[]

const getAad = (userId: string, place: SealContext) =>
  Buffer.from(JSON.stringify([userId, ...place]))

export const sealForUser = (
  { key, userId }: UserKey,
  plain: Uint8Array,
  place: SealContext,
): Buffer => gcmSeal(key, plain, getAad(userId, place))

export const openForUser = (
  { key, userId }: UserKey,
  sealed: Uint8Array,
  place: SealContext,
): Buffer => gcmOpen(key, sealed, getAad(userId, place))
