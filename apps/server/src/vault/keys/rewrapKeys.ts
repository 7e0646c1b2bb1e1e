import type { KmsProvider } from '../kms/kmsProvider.ts'
import { type Db, mainRealm } from '../vault.ts'
import { readUserKey } from './userKey.ts'

/** The number of keys, and how many of them were wrapped with an older version until now. */
export type RewrapCount = { readonly keys: number; readonly rewrapped: number }

/**
 * Rewraps every key with the current version, one after the other, while the server runs. This also proves that each key
 * opens. Keys that it does not reach are rewrapped when they are used next.
 */
export async function rewrapKeys(db: Db, kms: KmsProvider): Promise<RewrapCount> {
  const users = await db.selectFrom('vault_users').select(['user_id', 'key_id']).execute()
  for (const { user_id } of users) await readUserKey(db, { kms }, user_id)
  const after = await db.selectFrom('vault_users').select(['user_id', 'key_id']).execute()
  const changed = after.filter(
    ({ user_id, key_id }) => users.find((row) => row.user_id === user_id)?.key_id !== key_id,
  )
  const operator = await rewrapOperatorKeys(db, kms)
  return {
    keys: users.length + operator.keys,
    rewrapped: changed.length + operator.rewrapped,
  }
}

async function rewrapOperatorKeys(db: Db, kms: KmsProvider): Promise<RewrapCount> {
  const factors = await db
    .selectFrom('recovery_factors')
    .innerJoin('wallets', 'wallets.id', 'recovery_factors.wallet_id')
    .select(['recovery_factors.id', 'wallet_id', 'user_id', 'operator_key_wrapped'])
    .where('kind', '=', 'operator')
    .execute()
  let rewrapped = 0
  for (const { id, wallet_id: walletId, user_id: userId, operator_key_wrapped } of factors) {
    if (!operator_key_wrapped) continue
    const context = { purpose: 'recovery', userId, walletId, realm: mainRealm } as const
    const fresh = await kms.rewrap(operator_key_wrapped, context)
    if (!fresh) continue
    await db
      .updateTable('recovery_factors')
      .set({ operator_key_wrapped: fresh.wrapped })
      .where('id', '=', id)
      .where('operator_key_wrapped', '=', operator_key_wrapped)
      .execute()
    rewrapped += 1
  }
  return { keys: factors.length, rewrapped }
}
