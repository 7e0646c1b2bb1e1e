import type { KmsContext, KmsProvider } from '../kms/kmsProvider.ts'
import { type Db, mainRealm } from '../vault.ts'
import { getKmsContext } from './userKey.ts'

/** A key that the keyring has wrapped, in any table. */
type WrappedKey = {
  /** The name that the operator sees if the key does not open. */
  readonly name: string
  readonly wrapped: Uint8Array
  readonly context: KmsContext
  /** Stores it in place of `wrapped`, if that is what is still stored. */
  readonly replace: (fresh: Rewrapped) => Promise<unknown>
}
type Rewrapped = NonNullable<Awaited<ReturnType<KmsProvider['rewrap']>>>

/** The keys of one area of the server. */
export type ListKeys = (db: Db) => Promise<readonly WrappedKey[]>

/**
 * The number of keys that open, how many of them were wrapped with an older version until now, and
 * the names of those that do not open.
 */
export type RewrapCount = {
  readonly keys: number
  readonly rewrapped: number
  readonly closed: readonly string[]
}

type Rewrapping = { readonly kms: KmsProvider; readonly lists: readonly ListKeys[] }

/**
 * Opens every key and rewraps it with the current version, one after the other, while the server
 * runs. Repeats until a round finds no key of an older version, because work that began before the
 * rotation may store a key after the list was read. Each key is stored on its own, so an
 * interrupted run can continue from its last key. A key that does not open, for example of a
 * shredded user in a restored database, does not stop the others.
 */
export async function rewrapKeys(db: Db, rewrapping: Rewrapping): Promise<RewrapCount> {
  let rewrapped = 0
  for (;;) {
    const round = await rewrapOnce(db, rewrapping)
    rewrapped += round.rewrapped
    if (round.rewrapped === 0) return { ...round, rewrapped }
  }
}

async function rewrapOnce(db: Db, { kms, lists }: Rewrapping): Promise<RewrapCount> {
  const closed: string[] = []
  let keys = 0
  let rewrapped = 0
  for (const list of [listUserKeys, listOperatorKeys, ...lists])
    for (const { name, wrapped, context, replace } of await list(db)) {
      try {
        await kms.unwrap(wrapped, context)
      } catch {
        closed.push(name)
        continue
      }
      keys += 1
      const fresh = await kms.rewrap(wrapped, context)
      if (!fresh) continue
      await replace(fresh)
      rewrapped += 1
    }
  return { keys, rewrapped, closed }
}

const listUserKeys: ListKeys = async (db) => {
  const users = await db
    .selectFrom('vault_users')
    .select(['user_id', 'key_wrapped', 'key_id'])
    .execute()
  return users.map(({ user_id: userId, key_wrapped: wrapped, key_id: keyId }) => ({
    name: `user ${userId}`,
    wrapped,
    context: getKmsContext(userId),
    replace: (fresh) =>
      db
        .updateTable('vault_users')
        .set({ key_wrapped: fresh.wrapped, key_id: fresh.keyId })
        .where('user_id', '=', userId)
        .where('key_id', '=', keyId)
        .execute(),
  }))
}

const listOperatorKeys: ListKeys = async (db) => {
  const factors = await db
    .selectFrom('recovery_factors')
    .innerJoin('wallets', 'wallets.id', 'recovery_factors.wallet_id')
    .select(['recovery_factors.id', 'wallet_id', 'user_id', 'operator_key_wrapped'])
    .where('kind', '=', 'operator')
    .execute()
  return factors.flatMap(({ id, wallet_id: walletId, user_id: userId, operator_key_wrapped }) =>
    operator_key_wrapped
      ? {
          name: `recovery of wallet ${walletId}`,
          wrapped: operator_key_wrapped,
          context: { purpose: 'recovery', userId, walletId, realm: mainRealm } as const,
          replace: (fresh) =>
            db
              .updateTable('recovery_factors')
              .set({ operator_key_wrapped: fresh.wrapped })
              .where('id', '=', id)
              .where('operator_key_wrapped', '=', operator_key_wrapped)
              .execute(),
        }
      : [],
  )
}
