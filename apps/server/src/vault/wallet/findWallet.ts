import type { Db } from '../vault.ts'

/**
 * The wallet of a user in `realm`, by default the wallet in use; undefined if it does not exist.
 */
export const findWallet = (db: Db, userId: string, realm?: string) =>
  db
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .where((row) => (realm === undefined ? row('place', '=', 'current') : row('realm', '=', realm)))
    .executeTakeFirst()

/** A wallet as stored. */
export type WalletRow = NonNullable<Awaited<ReturnType<typeof findWallet>>>

/** The part of a wallet that the server holds for one device, or for recovery. */
export const findSlot = (
  db: Db,
  { walletId, slot }: { readonly walletId: string; readonly slot: string },
) =>
  db
    .selectFrom('wallet_slots')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .where('slot', '=', slot)
    .executeTakeFirst()
